"""The batch of a task, tasks that raters qualify by, and what came of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TIME = sa.String(27)


def upgrade() -> None:
    """Add the columns."""
    op.add_column("task", sa.Column("batch", sa.Integer))
    op.add_column(
        "task",
        sa.Column("is_qualification", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.add_column("rater", sa.Column("qualified_at", TIME))
    op.add_column("rater", sa.Column("refused_at", TIME))
