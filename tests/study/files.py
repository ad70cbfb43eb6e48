"""Design files for the tests, with their tables."""

from __future__ import annotations

from pathlib import Path

ITEMS = "id,text,a,b,right\nq1,One,A1,B1,5\nq2,Two,A2,B2,\nq3,Three,A3,B3,1\n"

TOP = 'name = "trial"\n'
TABLE = '[items]\nfile = "items.csv"\ncontext = "text"\nsystems = ["a", "b"]\n'
ASK = '[[dimensions]]\nuse = "fluency"\n'


def made(folder: Path, text: str, **tables: str) -> Path:
    (folder / "items.csv").write_text(tables.pop("items", ITEMS), "utf-8")
    for name, content in tables.items():
        (folder / name.replace("_", ".")).write_text(content, "utf-8")
    path = folder / "trial.toml"
    path.write_text(text, "utf-8")
    return path
