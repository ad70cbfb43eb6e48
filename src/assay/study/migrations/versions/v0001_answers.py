"""Studies, raters, tasks, their questions, and the answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from assay.study.migrations.append_only import protect

revision = "0001"
down_revision = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27)
KEY = sa.String(64)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "study",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("design", sa.Text, nullable=False),
        sa.Column("manager_hash", KEY, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("closed_at", TIME),
        sa.CheckConstraint("id = 1", name="one_study"),
    )
    op.create_table(
        "rater",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200)),
        sa.Column("token_hash", KEY),
        sa.Column("joined_at", TIME),
        sa.Column("consented_at", TIME),
        sa.Column("left_at", TIME),
        sa.UniqueConstraint("seat", name="rater_seat"),
        sa.UniqueConstraint("name", name="rater_name"),
        sa.UniqueConstraint("token_hash", name="rater_token"),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("rater_id", sa.Integer, sa.ForeignKey("rater.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("systems", sa.Text, nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
        sa.Column("is_check", sa.Boolean, nullable=False),
        sa.Column("is_pilot", sa.Boolean, nullable=False),
        sa.Column("from_task", sa.Integer, sa.ForeignKey("task.id")),
        sa.Column("withdrawn_at", TIME),
    )
    op.create_index("task_position", "task", ["rater_id", "position"])
    op.create_table(
        "question",
        sa.Column("task_id", sa.Integer, sa.ForeignKey("task.id"), primary_key=True),
        sa.Column("dimension", sa.String(200), primary_key=True),
        sa.Column("position", sa.Integer, nullable=False),
    )
    op.create_table(
        "rating",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("task_id", sa.Integer, nullable=False),
        sa.Column("dimension", sa.String(200), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("restores", sa.Integer),
        sa.Column("client", sa.String(100), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id", "dimension"],
            ["question.task_id", "question.dimension"],
            name="rating_question",
        ),
        sa.UniqueConstraint("task_id", "dimension", "revision", name="rating_revision"),
        sa.UniqueConstraint("task_id", "dimension", "client", name="rating_client"),
    )
    op.create_table(
        "audit",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("at", TIME, nullable=False),
        sa.Column("by", sa.String(200), nullable=False),
        sa.Column("act", sa.String(40), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.execute(
        "CREATE VIEW current_rating AS SELECT * FROM rating r WHERE r.revision = "
        "(SELECT max(n.revision) FROM rating n "
        "WHERE n.task_id = r.task_id AND n.dimension = r.dimension)"
    )
    protect("rating")
    protect("audit")
