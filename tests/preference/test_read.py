"""Reading comparisons: which column is what, what winners mean, what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given

import assay
from assay.errors import InputError, ReadingError, UsageError
from assay.preference.read import read_comparisons
from preference import comparing

PAIRS = [("x", "y"), ("x", "y"), ("y", "x"), ("x", "y")]
OUTCOMES = [1, -1, 1, 0]
SPELLINGS: dict[str, list[Any]] = {
    "sides": ["left", "right", "left", "tie"],
    "other case": ["Left", "RIGHT", "left ", "Tie"],
    "letters": ["A", "B", "A", "tie"],
    "small letters": ["a", "b", "a", "draw"],
    "models": ["model_a", "model_b", "model_a", "tie (bothbad)"],
    "names": ["x", "y", "y", "tie"],
    "numbers": [1, 2, 1, 0],
    "texts of numbers": ["1", "2", "1", "0"],
    "decimals": [1.0, 2.0, 1.0, 0.0],
    "signs": [1, -1, 1, 0],
    "minus signs": ["1", "\N{MINUS SIGN}1", "1", "0"],
    "first": ["first", "second", "first", "tie"],
}


def table(winners: list[Any], pairs: list[tuple[str, str]] = PAIRS) -> list[dict[str, Any]]:
    rows = zip(pairs, winners, strict=True)
    return [{"left": a, "right": b, "winner": w} for (a, b), w in rows]


def codes(made: Any) -> set[str]:
    return {note.code for note in made.notes}


@pytest.mark.parametrize("winners", SPELLINGS.values(), ids=SPELLINGS)
def test_spellings_of_a_winner(winners: list[Any]) -> None:
    made = read_comparisons(table(winners))
    assert made.outcome.tolist() == OUTCOMES
    assert [made.systems[s] for s in made.left] == [a for a, _ in PAIRS]
    note = next(n for n in made.notes if n.code == "winner_values")
    assert "tie" in note.message.lower()


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_files(tmp_path: Path, ending: str) -> None:
    rows = table(SPELLINGS["sides"])
    path = tmp_path / f"games.{ending}"
    frame = pd.DataFrame(rows)
    if ending in ("csv", "tsv"):
        frame.to_csv(path, sep="\t" if ending == "tsv" else ",", index=False)
    elif ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    elif ending == "json":
        path.write_text(json.dumps(rows), "utf-8")
    else:
        frame.to_parquet(path)
    made = read_comparisons(path)
    assert made.outcome.tolist() == OUTCOMES
    assert made.systems == ("x", "y")


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, lambda rows: pl.DataFrame(rows).to_arrow()]
)
def test_frames(make: Any) -> None:
    assert read_comparisons(make(table(SPELLINGS["names"]))).outcome.tolist() == OUTCOMES


def test_tuples_and_columns() -> None:
    rows = [(*pair, won) for pair, won in zip(PAIRS, SPELLINGS["sides"], strict=True)]
    assert read_comparisons(rows).outcome.tolist() == OUTCOMES
    with_rater = read_comparisons([(*row, "ana") for row in rows])
    assert list(with_rater.rater.names) == ["ana"]  # type: ignore[union-attr]
    columns = {name: [row[i] for row in rows] for i, name in enumerate(("left", "right", "winner"))}
    assert read_comparisons(columns).outcome.tolist() == OUTCOMES
    with pytest.raises(ReadingError, match="entry 1"):
        read_comparisons([rows[0], rows[1][:2]])


def test_columns_are_named_or_found(tmp_path: Path) -> None:
    path = tmp_path / "arena.csv"
    path.write_text("question_id,model_a,model_b,winner,judge\n7,x,y,model_a,ana\n", "utf-8")
    made = read_comparisons(path)
    assert (made.n, list(made.item.names), list(made.rater.names)) == (1, ["7"], ["ana"])  # type: ignore[union-attr]
    found = [n.message for n in made.notes if n.code == "column_found"]
    assert len(found) == 5
    named = read_comparisons(path, left="model_b", right="model_a", winner="winner", rater="judge")
    assert named.systems[named.left[0]] == "y"
    assert named.outcome.tolist() == [-1]  # model_a is the column that was named as right
    with pytest.raises(UsageError, match="did you mean 'model_a'"):
        read_comparisons(path, left="model_aa", right="model_b")
    with pytest.raises(UsageError, match="two parts"):
        read_comparisons(path, rater="model_a")


def test_columns_that_are_not_found_are_asked_for() -> None:
    with pytest.raises(ReadingError, match="which column is winner") as error:
        read_comparisons([{"left": "x", "right": "y", "who": "ana"}])
    assert error.value.code == "no_layout"


def test_several_item_columns_make_one_item() -> None:
    rows = [
        {"left": "x", "right": "y", "winner": "left", "id": i, "prompt": p}
        for i, p in ((1, "a"), (1, "b"), (1, "a"))
    ]
    made = read_comparisons(rows, item=["id", "prompt"])
    assert made.item is not None
    assert list(made.item.names) == ["1 / a", "1 / b"]
    assert made.item.codes.tolist() == [0, 1, 0]
    assert read_comparisons(rows, item="id,prompt").item.size == 2  # type: ignore[union-attr]


def test_what_is_left_out_is_counted() -> None:
    rows = [*table(["left", None, "", "right"]), {"left": "z", "right": "z", "winner": "tie"}]
    made = read_comparisons(rows)
    assert made.outcome.tolist() == [1, -1]
    assert made.systems == ("x", "y")
    messages = {n.code: n.message for n in made.notes if n.level == "warning"}
    assert messages["winner_missing"].endswith(": 2")
    assert messages["system_with_itself"].endswith(": 1")


def test_empty_rows_are_left_out_and_empty_cells_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\nx,y,left\n,,\ny,x,left\n", "utf-8")
    made = read_comparisons(path)
    assert made.outcome.tolist() == [1, 1]
    path.write_text("left,right,winner\nx,y,left\n,x,left\n", "utf-8")
    with pytest.raises(ReadingError, match=r"column left: empty in line 3") as error:
        read_comparisons(path)
    assert error.value.code == "empty_cell"


def test_an_unknown_value_is_named_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\nx,y,left\nx,y,right\nx,y,lfet\n", "utf-8")
    with pytest.raises(ReadingError, match=r"line 4: 'lfet'") as error:
        read_comparisons(path)
    assert error.value.code == "unknown_winner"
    assert read_comparisons(path, values={"lfet": "left"}).outcome.tolist() == [1, -1, 1]
    made = read_comparisons(path, values={"lfet": "missing"})
    assert made.outcome.tolist() == [1, -1]
    assert any("'lfet' means that there is no winner: 1" in n.message for n in made.notes)


def test_a_winner_of_another_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("left,right,winner\nx,y,x\ny,z,z\nx,y,z\n", "utf-8")
    with pytest.raises(ReadingError, match=r"line 4: the winner 'z' .*\(x, y\)"):
        read_comparisons(path)


@pytest.mark.parametrize("winners", [[0, 1, 1, 0], ["0", "0", "0", "0"], ["0", "1", "tie", "tie"]])
def test_zero_and_one_are_not_guessed(winners: list[Any]) -> None:
    with pytest.raises(InputError) as error:
        read_comparisons(table(winners))
    assert error.value.code == "ambiguous_winner"
    meant = read_comparisons(table(winners), values={"0": "left", "1": "right"})
    assert meant.outcome[0] == 1


def test_systems_called_a_and_b() -> None:
    same = [("A", "B", "A"), ("A", "B", "B")]
    assert read_comparisons(same).outcome.tolist() == [1, -1]
    swapped = [*same, ("B", "A", "A")]
    with pytest.raises(InputError) as error:
        read_comparisons(swapped)
    assert error.value.code == "ambiguous_winner"
    assert read_comparisons(swapped, winner_as="names").outcome.tolist() == [1, -1, -1]
    assert read_comparisons(swapped, winner_as="sides").outcome.tolist() == [1, -1, 1]


def test_meanings_are_checked() -> None:
    with pytest.raises(UsageError, match="'lef' is not known"):
        read_comparisons(table(SPELLINGS["sides"]), values={"x": "lef"})
    with pytest.raises(UsageError, match="winner_as"):
        read_comparisons(table(SPELLINGS["sides"]), winner_as="name")


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(ReadingError, match="no comparison is left"):
        read_comparisons([("x", "x", "left")])


def test_options_of_files_need_a_file() -> None:
    with pytest.raises(UsageError, match="only a file"):
        read_comparisons(table(SPELLINGS["sides"]), encoding="utf-8")


@given(comparing.rows())
def test_round_trip(rows: list[comparing.Row]) -> None:
    made = comparing.read(rows)
    assert made.n == len(rows)
    for i, row in enumerate(rows):
        assert (made.systems[made.left[i]], made.systems[made.right[i]]) == row[:2]
        assert made.outcome[i] == {"left": 1, "right": -1, "tie": 0}[row[2]]
        assert made.rater.names[made.rater.codes[i]] == row[3]
        assert made.item.names[made.item.codes[i]] == row[4]
    by_name = [(a, b, comparing.winner_of(r) or "tie") for r in rows for a, b in [r[:2]]]
    assert np.array_equal(read_comparisons(by_name).outcome, made.outcome)


def test_groups() -> None:
    rows = [{"left": "x", "right": "y", "winner": w, "dim": d} for w, d in
            (("left", "fluency"), ("right", ""), ("tie", "fluency"))]  # fmt: skip
    made = read_comparisons(rows, by="dim")
    assert made.group_names == ("fluency", "(empty)")
    assert made.group("fluency").outcome.tolist() == [1, 0]
    report = assay.prefer(rows, by="dim", bootstrap=None)
    assert [g["group"] for g in report.summary["groups"]] == ["fluency", "(empty)"]
    assert report.groups["fluency"].summary["source"]["comparisons"] == 2
    with pytest.raises(UsageError, match="has groups"):
        _ = report.strengths
    with pytest.raises(InputError, match="not among"):
        made.group("adequacy")
