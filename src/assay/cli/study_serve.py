"""``assay study serve``: ask people, in the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from assay.cli.help import Command, Option
from assay.cli.lab import _place as place
from assay.cli.serving import run

BY = "assay study serve"


@click.command(
    cls=Command,
    examples=(
        ("assay study serve trial.toml", "Start a study, or go on with it; its data: trial.db."),
        (
            "assay study serve trial.toml --database postgresql://me@host/trial",
            "Keep it in PostgreSQL.",
        ),
        ("assay study serve trial.toml --new-links", "Links were lost: make new ones for all."),
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--database",
    cls=Option,
    section="Where",
    metavar="URL",
    help="A path, or postgresql://…; FILE with the ending .db if omitted.",
)
@click.option(
    "--new-links",
    cls=Option,
    section="What",
    is_flag=True,
    help="Replace the manager's link and those of all raters, and print the new ones.",
)
@place
def serve(
    file: Path,
    database: str | None,
    new_links: bool,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
) -> None:
    """Ask the raters of the study in FILE until Ctrl-C.

    At the first start the tasks are given out and a secret link is printed for each rater and
    for the manager. They are not kept anywhere: the database has only their hashes. Later
    starts go on where it was.
    """
    from assay.study.design_read import read_design

    design = read_design(file)
    served(
        lambda: design, database or str(file.with_suffix(".db")), host, port, allow_host, new_links
    )


def served(
    design: Callable[[], Any],
    database: str,
    host: str,
    port: int,
    allowed: tuple[str, ...] = (),
    new_links: bool = False,
    prepare: Any = None,
) -> None:
    """Serve a study.

    ``design`` is asked for once the place is listened on, so that nothing is left behind where it
    is taken; ``prepare`` is called with a store that was made just now and its tokens.
    """
    from assay.study.begin import Links, begin, replace_links
    from assay.web.study.site import site_of

    links = Links()
    store = None

    def opened() -> Any:
        nonlocal store, links
        from assay.study.store import Store

        asked = design()
        store = Store(database)
        made = begin(store, asked, by=BY)
        links = made.links
        if made.changed:
            click.echo(
                "The design has changed since the study began; it goes on as it began. A changed "
                "design needs a database of its own: --database.",
                err=True,
            )
        if prepare is not None and made.new:
            prepare(store, made)
        if new_links and not made.new:
            links = replace_links(store, by=BY)
        return site_of(store)

    def ready(at: str) -> None:
        click.echo(f"assay: {at}/ (Ctrl-C stops it)")
        rows = [("(manager)", links.manager)] if links.manager else []
        rows += links.raters.items()
        if not rows:
            click.echo("The links given out before still hold; lost ones: --new-links.")
            return
        click.echo("These secret links are printed only now; give each to its rater alone:")
        width = max(len(name) for name, _ in rows)
        for name, path in rows:
            click.echo(f"  {name.ljust(width)}  {at}{path}")

    try:
        run(host, port, allowed, ready, study=opened)
    finally:
        if store is not None:
            store.close_connections()
