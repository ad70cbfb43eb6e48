"""From a design to a study that raters can be sent links to."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.study.assign import assignments
from assay.study.design import Design
from assay.study.store import Store
from assay.study.store_errors import StoreError
from assay.web.study.site import design_of

MANAGER = "manager"


@dataclass(frozen=True, slots=True)
class Begun:
    """What was there or made: ``links`` are the paths of new links, by whose they are.

    ``new`` says that the study was made just now, ``changed`` that the design is another than
    the one it began with.
    """

    new: bool
    changed: bool
    links: dict[str, str] = field(default_factory=dict)


def begin(store: Store, design: Design, *, by: str) -> Begun:
    """Make the study if the database has none, and a link for each rater who has none yet.

    A rater may be without one where the program ended in the middle of its first start.
    """
    links: dict[str, str] = {}
    try:
        before = design_of(store.design())
    except StoreError as error:
        if error.code != "no_study":
            raise
        before = None
    if before is None:
        token = store.create(design, assignments(design), by=by)
        links[f"({MANAGER})"] = f"/manage/{token}"
    seats = store.progress()
    names = {one.name for one in seats}
    missing = [rater.name for rater in design.raters if rater.name not in names]
    free = sum(one.name is None and one.left_at is None for one in seats)
    for name in missing[:free]:
        links[name] = f"/rate/{store.add_rater(name, by=by).token}"
    return Begun(before is None, before is not None and before != design, links)


def replace_links(store: Store, *, by: str) -> dict[str, str]:
    """New links for the manager and for every rater who has not left; the old ones end."""
    links = {f"({MANAGER})": f"/manage/{store.new_manager_token(by=by)}"}
    for one in store.progress():
        if one.name is not None and one.left_at is None:
            links[one.name] = f"/rate/{store.new_token(one.id, by=by).token}"
    return links
