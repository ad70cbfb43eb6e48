"""``assay study demo``: a small study that others have nearly finished."""

from __future__ import annotations

import random
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command
from assay.cli.lab import _place as place
from assay.cli.study_serve import served
from assay.errors import UsageError

DESIGN = "demo.toml"
LEFT = 3
"""Tasks that are left for whoever tries it, of the first rater."""

QUALITY = {"lantern": 3.9, "harbour": 3.4, "pebble": 2.5}
"""How good the systems are to the simulated raters, on the scale of the study."""
SEVERITY = (0.0, 0.3, -0.3, 0.1)
"""How much lower each of them rates than the others."""
SECONDS = (6.0, 25.0)
SEED = 11


@click.command(
    cls=Command,
    examples=(
        ("assay study demo", "Write demo/, serve it, and print the links."),
        ("assay study demo tryout --port 0", "Another folder, any free port."),
    ),
)
@click.argument("folder", type=click.Path(path_type=Path), default="demo")
@place
def demo(folder: Path, host: str, port: int, allow_host: tuple[str, ...]) -> None:
    """Make a small study in FOLDER, with simulated raters who have rated most, and serve it.

    Eight questions, the answers of three systems, a scale and a comparison, four raters. The
    first rater has three tasks left: open that link and answer them. The others' answers are
    made by a program; they are for trying this out and say nothing about any system.
    """
    from assay.study.design_read import read_design

    file, database = folder / DESIGN, folder / "demo.db"
    if database.exists():
        again = shlex.join(["assay", "study", "serve", str(file), "--new-links"])
        raise UsageError(f"{database} is already there; go on with it: {again}", code="file_exists")

    def design() -> Any:
        write_files(folder)
        return read_design(file)

    served(design, str(database), host, port, allow_host, prepare=simulate)


def write_files(folder: Path) -> None:
    """Put the design and its items into a folder; nobody's own files are written over."""
    source = files("assay").joinpath("examples", "study")
    for name in (DESIGN, "demo-items.csv"):
        path, text = folder / name, source.joinpath(name).read_bytes()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.read_bytes() != text:
                raise UsageError(
                    f"{path} is already there and is not that of the demo; name another folder.",
                    code="file_exists",
                )
            path.write_bytes(text)
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}.", code="unwritable") from None


def simulate(store: Any, begun: Any) -> None:
    """Answer as four raters would who mostly agree; the first leaves some tasks open."""
    for seat, path in enumerate(begun.links.raters.values()):
        token = path.rpartition("/")[2]
        rater = store.rater(token)
        # The first rater is a person, who gives consent on the page.
        if seat:
            store.consent(token)
        for _ in range(rater.tasks - (LEFT if seat == 0 else 0)):
            _answer(store, token, seat)


def _answer(store: Any, token: str, seat: int) -> None:
    from assay.study.store_records import Answer

    task = store.open_task(token)
    chance = random.Random(f"{SEED} {seat} {task.id}")
    answers = []
    for name in task.dimensions:
        given = _compared(task, chance) if task.kind == "pair" else _rated(task, seat, chance)
        spent = round(chance.uniform(*SECONDS), 1)
        answers.append(Answer(name, given, 0, f"demo {task.id}", spent))
    store.answers(token, task.id, answers)


def _worth(item: str, system: str) -> float:
    """How good an output is to all raters alike."""
    shared = random.Random(f"{SEED} {item} {system}")
    return QUALITY[system] + shared.gauss(0, 0.8)


def _rated(task: Any, seat: int, chance: random.Random) -> int:
    seen = _worth(task.item, task.systems[0]) - SEVERITY[seat % 4] + chance.gauss(0, 0.5)
    return max(1, min(5, round(seen)))


def _compared(task: Any, chance: random.Random) -> str:
    left, right = task.systems
    apart = _worth(task.item, left) - _worth(task.item, right) + chance.gauss(0, 0.9)
    return "tie" if abs(apart) < 0.35 else str(left if apart > 0 else right)
