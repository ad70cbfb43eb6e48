"""A design as the database keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.study.design import Design, Dimension, Item, Point, Qualification, RaterSpec


def design_of(stored: Mapping[str, Any]) -> Design:
    """A design as it was before it became JSON."""
    made = dict(stored)
    made["raters"] = tuple(RaterSpec(**one) for one in made["raters"])
    made["dimensions"] = tuple(
        Dimension(**one | {"points": tuple(Point(**point) for point in one["points"])})
        for one in made["dimensions"]
    )
    for name in ("items", "checks"):
        made[name] = tuple(_item(one) for one in made[name])
    # A design that was stored before there were such tests has none.
    test = made.get("qualification")
    if test is not None:
        items = tuple(_item(one) for one in test["items"])
        made["qualification"] = Qualification(**{**test, "items": items})
    for name in ("systems", "notes"):
        made[name] = tuple(made[name])
    made["pairs"] = tuple((left, right) for left, right in made["pairs"])
    return Design(**made)


def _item(one: Mapping[str, Any]) -> Item:
    gold = one["gold"]
    if gold is not None:
        gold = {key: tuple(v) if isinstance(v, list) else v for key, v in gold.items()}
    return Item(**{**one, "gold": gold})
