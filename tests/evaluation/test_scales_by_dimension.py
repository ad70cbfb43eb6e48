"""A scale and an order of its own for each dimension, and what the headline says of agreement."""

from __future__ import annotations

import json

from click.testing import CliRunner

import assay
from assay.cli.main import main


def test_each_dimension_may_have_a_scale_of_its_own(tmp_path):
    rows = [
        {"item": f"q{i}", "system": "a", "dimension": d, "rater": r, "value": v}
        for i in range(6)
        for r, shift in (("mai", 0), ("lan", i % 2))
        for d, v in (
            ("length", i + shift),
            ("tone", ("polite", "rude", "plain")[(i + shift) % 3]),
            ("other", 1 + (i + shift) % 4),
        )
    ]
    order = ["rude", "plain", "polite"]
    report = assay.evaluate(rows, scale={"length": "ratio"}, order={"tone": order})
    assert [(d.name, d.scale, d.declared) for d in report.ratings.dimensions] == [
        ("length", "ratio", True), ("tone", "ordinal", True), ("other", "ordinal", False),
    ]  # fmt: skip
    assert report.ratings["tone"].categories.texts == ("rude", "plain", "polite")
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    typed = ["evaluate", str(path), "--scale", "length=ratio", "--order", f"tone={','.join(order)}"]
    got = CliRunner().invoke(main, [*typed, "--json"])
    assert got.exit_code == 0, got.output
    assert json.loads(got.stdout)["systems"] == json.loads(report.to_json())["systems"]
    for more, what in (
        (["--scale", "ordinal"], "DIMENSION=VALUE is needed"),
        (["--scale", "lenght=ratio"], "did you mean 'length'?"),
        (["--scale", "other=ratios"], "did you mean 'ratio'?"),
    ):
        refused = CliRunner().invoke(main, [*typed, *more])
        assert refused.exit_code == 2
        assert what in " ".join(refused.stderr.split())


def test_the_headline_names_one_dimension_once_and_what_has_no_agreement():
    rows = [
        {"item": f"q{i}", "system": s, "dimension": d, "rater": r, "value": v}
        for i in range(5)
        for s in "ab"
        for r in ("mai", "lan")
        for d, v in (("fluency", (i + (r == "lan") * (s == "a")) % 4), ("style", 3))
    ]
    line = assay.evaluate(rows).summary["headline"][1]
    assert " to " not in line
    assert line.endswith("(fluency), not defined for style.")
