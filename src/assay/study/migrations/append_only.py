"""Triggers that let rows be added to a table, and nothing else."""

from __future__ import annotations

from alembic import op


def protect(table: str) -> None:
    """Refuse every UPDATE and DELETE (and TRUNCATE) of a table, whoever asks."""
    text = f"{table}: rows are only ever added"
    if op.get_bind().dialect.name == "sqlite":
        for act in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{text}'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_only_added() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{text}'; END $$"
    )
    for act, level in (("UPDATE OR DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        name = f"{table}_only_added_{level.lower()}"
        op.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON {table} "
            f"FOR EACH {level} EXECUTE FUNCTION {table}_only_added()"
        )
