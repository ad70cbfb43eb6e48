"""What every lab is: a question, a state that is its address, and a view made from the state."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from assay.web.query import Query, address
from assay.web.speech import Message, Speech, lazy


class State(Protocol):
    """Everything a page depends on, immutable and comparable."""

    def query(self) -> dict[str, str]:
        """The canonical parameters; what is as in the first state may be left out."""
        ...


class Module(Protocol):
    """What a lab's package gives."""

    def parse(self, query: Query) -> Any:
        """The state of an address; :class:`~assay.web.query.BadState` where it is none."""
        ...

    def edit(self, query: Query) -> Any:
        """The state after a form was sent.

        Either the page's own (``form``): its fields, then the button that was pressed in
        ``do``; or a text that was pasted (``paste``).
        """
        ...

    def view(self, state: Any, before: Any | None, speech: Speech) -> Any:
        """Everything the template shows; ``before`` is the state that was seen last, if one."""
        ...


@dataclass(frozen=True, slots=True)
class Lab:
    """An entry of the list of labs.

    Attributes
    ----------
    name
        In the address, in the command, and of the template: ``/lab/kappa``.
    title, question
        As the list says them; the question is that of the first example.
    heading_else
        The heading of a page that shows something else than the first example.
    module
        Where ``parse``, ``edit`` and ``view`` are; imported when first needed.
    """

    name: str
    title: Message
    question: Message
    module: str
    heading_else: Message | None = None

    @property
    def path(self) -> str:
        return f"/lab/{self.name}"

    def _function(self, name: str) -> Callable[..., Any]:
        return getattr(importlib.import_module(self.module), name)  # type: ignore[no-any-return]

    def state(self, query: Query) -> Any:
        """The state that an address means; that of a form if one was sent."""
        return self._function("edit" if self.edits(query) else "parse")(query)

    @staticmethod
    def edits(query: Query) -> bool:
        """Whether an address is a form that was sent, and not yet a state."""
        return "form" in query or "paste" in query

    def heading(self, state: State) -> Message:
        """The question while its example is on the page and nothing is to be guessed."""
        if self.heading_else is None:
            return self.question
        now, first = state.query(), self.state(Query()).query()
        same = all(now.get(name) == first.get(name) for name in DATA)
        return self.question if same and now.get("guess") != "ask" else self.heading_else

    def view(self, state: Any, before: Any | None, speech: Speech) -> Any:
        """The view model."""
        return self._function("view")(state, before, speech)

    def address(self, state: State, **more: str) -> str:
        """The canonical address of a state."""
        return address(self.path, state.query() | more)


DATA = ("t", "tokens", "gold", "pred")
"""The parameters that hold what a page is about."""

LABS = {
    lab.name: lab
    for lab in (
        Lab(
            "kappa",
            lazy("Two raters"),
            lazy("They agree on 90 of 100. Why is kappa 0?"),
            "assay.web.labs.kappa",
            lazy("Two raters, one table: how far do they agree?"),
        ),
        Lab(
            "bio",
            lazy("Tag rows"),
            lazy("One wrong token of seventeen. Why is F1 only 57?"),
            "assay.web.labs.bio",
            lazy("Gold and prediction: what is right, by token and by span?"),
        ),
        Lab(
            "many",
            lazy("Many raters"),
            lazy("Fourteen people, ten items. How far do they agree?"),
            "assay.web.labs.many",
            lazy("Many raters: how far do they agree?"),
        ),
        Lab(
            "ordered",
            lazy("Ordered labels"),
            lazy("Is one step apart half right, or wrong?"),
            "assay.web.labs.ordered",
        ),
        Lab(
            "items",
            lazy("How many items"),
            lazy("How many items until the interval is narrow enough?"),
            "assay.web.labs.items",
        ),
    )
}
