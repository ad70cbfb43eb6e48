"""Decisions of a manager on items that raters did not agree on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from assay.study.migrations.append_only import protect

revision = "0002"
down_revision = "0001"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "adjudication",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("systems", sa.Text, nullable=False),
        sa.Column("dimension", sa.String(200), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("cause", sa.String(40), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("by", sa.String(200), nullable=False),
        sa.Column("provenance", sa.Text, nullable=False),
        sa.Column("at", sa.String(27), nullable=False),
    )
    protect("adjudication")
