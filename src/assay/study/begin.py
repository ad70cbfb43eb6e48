"""From a design to a study that raters can be sent links to."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.study.assign import assignments
from assay.study.design import Design
from assay.study.design_stored import design_of
from assay.study.store import Store
from assay.study.store_errors import StoreError


@dataclass(frozen=True, slots=True)
class Links:
    """The paths of new links: the manager's, "" where it is not new, and raters' by name."""

    manager: str = ""
    raters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begun:
    """What was there or made.

    ``new`` says that the study was made just now, ``changed`` that the design is another than
    the one it began with.
    """

    new: bool
    changed: bool
    links: Links


def begin(store: Store, design: Design, *, by: str) -> Begun:
    """Make the study if the database has none, and a link for each rater who has none yet.

    A rater may be without one where the program ended in the middle of its first start.
    """
    manager, raters = "", dict[str, str]()
    try:
        before = design_of(store.design())
    except StoreError as error:
        if error.code != "no_study":
            raise
        before = None
    if before is None:
        manager = f"/manage/{store.create(design, assignments(design), by=by)}"
    seats = store.progress()
    names = {one.name for one in seats}
    missing = [rater.name for rater in design.raters if rater.name not in names]
    free = sum(one.name is None and one.left_at is None for one in seats)
    for name in missing[:free]:
        raters[name] = f"/rate/{store.add_rater(name, by=by).token}"
    changed = before is not None and before != design
    return Begun(before is None, changed, Links(manager, raters))


def replace_links(store: Store, *, by: str) -> Links:
    """New links for the manager and for every rater who has not left; the old ones end."""
    links = Links(f"/manage/{store.new_manager_token(by=by)}")
    for one in store.progress():
        if one.name is not None and one.left_at is None:
            links.raters[one.name] = f"/rate/{store.new_token(one.id, by=by).token}"
    return links
