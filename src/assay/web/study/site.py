"""A study that is served: its store, its design, and how often its pages may be asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.study.design import Design, Item
from assay.study.design_stored import design_of
from assay.study.store import Store
from assay.web.study.bucket import Buckets


@dataclass(frozen=True, slots=True)
class Site:
    """A study and what its pages need.

    Attributes
    ----------
    store, design
        Where answers go, and what was asked. The design is the one in the store.
    now
        The clock that time spent is taken from, in seconds.
    items
        Items, attention checks and items of the test by key.
    links, strangers
        Bounds on requests: of each link, and of each address that comes with unknown links.
    """

    store: Store
    design: Design
    now: Callable[[], float] = time.time
    links: Buckets = field(default_factory=lambda: Buckets(60, 5))
    strangers: Buckets = field(default_factory=lambda: Buckets(30, 0.5))

    items: Mapping[str, Item] = field(init=False)

    def __post_init__(self) -> None:
        test = self.design.qualification
        every = (*self.design.items, *self.design.checks, *(test.items if test else ()))
        object.__setattr__(self, "items", {item.key: item for item in every})


def site_of(store: Store, **more: Any) -> Site:
    """The study in a store, ready to be served."""
    return Site(store, design_of(store.design()), **more)
