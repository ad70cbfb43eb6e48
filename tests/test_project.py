"""What holds for the project as a whole: its interface, its structure, its promises."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from functools import cached_property
from pathlib import Path

import pytest

import assay

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tracked() -> list[Path]:
    """The files that belong to the repository, as text where they are text."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


@pytest.mark.parametrize("name", assay.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(assay, name) is not None
    assert name in dir(assay)


def test_public_names_are_listed_once() -> None:
    assert len(set(assay.__all__)) == len(assay.__all__)


def test_public_functions_are_complete() -> None:
    """Whatever a package of the library exports is reachable from ``assay`` itself."""
    exported = set()
    for package in ("agreement", "report", "ratings"):
        exported |= set(getattr(importlib.import_module(f"assay.{package}"), "__all__", ()))
    assert exported <= set(assay.__all__)


@pytest.mark.parametrize("name", sorted(set(assay.__all__) - {"__version__"}))
def test_public_names_are_documented(name: str) -> None:
    """Functions and classes, and whatever a public class defines for its users."""
    value = getattr(assay, name)
    assert inspect.getdoc(value)
    if isinstance(value, type):
        bare = [
            key
            for key, member in vars(value).items()
            if not key.startswith("_")
            and (inspect.isfunction(member) or isinstance(member, property | cached_property))
            and not inspect.getdoc(member)
        ]
        assert not bare


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="kappa_of_nobody"):
        _ = assay.kappa_of_nobody


def test_import_is_light() -> None:
    """``import assay`` and the command line's start load nothing heavy."""
    code = (
        "import sys, assay, assay.cli.main;"
        "print(sorted({'duckdb', 'narwhals', 'numpy', 'pandas', 'polars', 'rich', 'scipy'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_files_stay_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_scipy_stats_is_not_imported(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scipy"):
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            parts = {alias.name for alias in node.names if alias.name.startswith("scipy")}
        else:
            continue
        assert not any(part.startswith("scipy.stats") for part in parts), parts


def test_every_package_is_in_a_layer() -> None:
    (contract,) = SETTINGS["tool"]["importlinter"]["contracts"]
    layers = {name for line in contract["layers"] for name in re.findall(r"\w+", line)}
    inside = ROOT / "src" / "assay"
    found = {path.parent.name for path in inside.glob("*/__init__.py")}
    found |= {path.stem for path in inside.glob("*.py")} - {"__init__", "__main__"}
    assert found - {"examples"} == layers


def test_version_has_one_source() -> None:
    assert "version" not in SETTINGS["project"]
    text = (ROOT / "src/assay/__init__.py").read_text("utf-8")
    assert f'__version__ = "{assay.__version__}"' in text


def test_readme_has_its_two_commands() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    main, tests = re.findall(r"^python3 -m venv \.venv && .*$", readme, re.MULTILINE)
    assert main.endswith("assay agree src/assay/examples/answers.csv")
    assert "-m pytest" in tests
    assert (ROOT / "src/assay/examples/answers.csv").is_file()


def test_contributing_opens_with_eight_lines() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    opening = text.split("\n\n")[1].splitlines()
    assert [line.split(".")[0] for line in opening] == [str(i) for i in range(1, 9)]


def test_news_fragments_have_a_known_type() -> None:
    settings = SETTINGS["tool"]["towncrier"]
    known = {kind["directory"] for kind in settings["type"]}
    for path in (ROOT / settings["directory"]).glob("*.md"):
        if path.name != "README.md":
            assert path.suffixes[-2].removeprefix(".") in known, path.name


def test_nothing_names_a_machine() -> None:
    """No path of anybody's computer, and no address of a package registry."""
    roots = "|".join(["home", "root", "work", "Users", "tmp", "opt", "mnt"])
    path = re.compile(rf"(?<![\w.~/:-])/(?:{roots})/\w|[A-Z]:\\{'{1,2}'}Users")
    registry = re.compile("|".join(["py" + r"pi\.org", "python" + "hosted", "index" + "-url"]))
    found = []
    for file in tracked():
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if path.search(line) or registry.search(line):
                found.append(f"{name_of(file)}:{number}: {line.strip()[:100]}")
    assert not found, "\n".join(found)
