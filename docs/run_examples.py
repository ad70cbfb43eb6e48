"""Run every example of the documentation and put its real output into the page.

    python docs/run_examples.py            rewrite the outputs, and the README's picture
    python docs/run_examples.py --check    say which ones are no longer true, and fail

In a page, a ``console`` fence holds commands after ``$``, a ``pycon`` fence a Python session.
Both run in a folder that holds the shipped examples and the files of ``docs/tables``; the
sessions of a page share their names. In an expected output, a line with nothing but ``…``
stands for any number of lines.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLES = ROOT / "docs" / "tables"
SHIPPED = ROOT / "src" / "assay" / "examples"
FENCE = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WIDTH = "88"
ANY = "…\n"


def pages() -> list[Path]:
    """The files whose examples are run."""
    found = [p for p in sorted(ROOT.glob("docs/**/*.md")) if "_build" not in p.parts]
    return [ROOT / "README.md", *found]


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A folder with the files that the examples read, as the current one."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(TABLES, folder, dirs_exist_ok=True)
        for path in SHIPPED.iterdir():
            if path.suffix in (".csv", ".conll"):
                shutil.copy(path, folder)
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def shell(command: str, **more: str) -> str:
    """What a person sees who types ``command`` in a terminal."""
    env = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env.get('PATH', '')}"
    env |= {"COLUMNS": WIDTH, "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": "error"} | more
    done = subprocess.run(
        command,
        shell=True,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return "".join(folded(line.rstrip()) + "\n" for line in done.stdout.splitlines())


def folded(line: str) -> str:
    """A long message as a terminal shows it, but broken between words."""
    if not line.startswith(("error: ", "failed: ", "warning: ")):
        return line
    return textwrap.fill(line, int(WIDTH), break_long_words=False, break_on_hyphens=False)


def matches(expected: str, got: str) -> bool:
    """Whether ``got`` is ``expected``, where lines with only "…" stand for anything."""
    pattern = ".*".join(re.escape(part) for part in expected.split(ANY))
    return re.fullmatch(pattern, got, re.DOTALL) is not None


def console(block: str) -> str:
    """The block with the output of its commands as it is now."""
    out = []
    for part in re.split(r"(?=^\$ )", block, flags=re.MULTILINE):
        if not part.strip():
            continue
        command, _, expected = part.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command += "\n" + more
        got = shell(command.removeprefix("$ "))
        out.append(f"{command}\n{expected if matches(expected, got) else got}")
    return "".join(out)


def session(block: str, names: dict[str, object]) -> str:
    """The block with the output of its statements as it is now."""
    out = []
    for part in doctest.DocTestParser().parse(block):
        if isinstance(part, str):
            out.append(part)
            continue
        lines = part.source.splitlines()
        out.append("\n".join([f">>> {lines[0]}"] + [f"... {line}".rstrip() for line in lines[1:]]))
        seen = io.StringIO()
        try:
            with contextlib.redirect_stdout(seen):
                exec(compile(part.source, "<example>", "single"), names)
        except Exception as error:  # noqa: BLE001 (an error is what some examples show)
            kind = f"{type(error).__module__}.{type(error).__qualname__}"
            seen.write(f"Traceback (most recent call last):\n{kind}: {error}\n")
        got = re.sub(r"^$", "<BLANKLINE>", seen.getvalue().rstrip("\n"), flags=re.MULTILINE)
        got = "" if got == "<BLANKLINE>" else got + "\n"
        kept = matches(part.want, got)
        out.append("\n" + (part.want if kept else got))
    return "".join(out)


def current(text: str) -> str:
    """``text`` with all its examples run."""
    names: dict[str, object] = {}

    def run(found: re.Match[str]) -> str:
        kind, block = found.groups()
        with workplace():
            return f"```{kind}\n{console(block) if kind == 'console' else session(block, names)}```"

    return FENCE.sub(run, text)


def main(arguments: list[str]) -> int:
    import picture

    check = "--check" in arguments
    stale = []
    for path in pages():
        old = path.read_text("utf-8")
        new = current(old)
        if new != old:
            stale.append(path)
            if not check:
                path.write_text(new, "utf-8")
    drawn = picture.draw()
    if not picture.PATH.exists() or picture.PATH.read_text("utf-8") != drawn:
        stale.append(picture.PATH)
        if not check:
            picture.PATH.write_text(drawn, "utf-8")
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {'not current' if check else 'rewritten'}")
    return 1 if stale and check else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
