"""The tables of a study, as the code reads and writes them.

::

    study ── rater ── task ── question ── rating        one database, one study
                                          adjudication
                                          audit

A rating is a revision of the answer to one question of one task. Ratings, adjudications and
audit lines are only ever added: triggers refuse anything else. The migrations make the tables;
a test compares the two.
"""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

VERSION_TABLE = "assay_version"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.String(27)
"""UTC as 2026-01-31T08:15:00.000000Z: sorts as it is, the same in every database."""
KEY = sa.String(64)

study = sa.Table(
    "study",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("design", sa.Text, nullable=False),
    sa.Column("manager_hash", KEY, nullable=False),
    sa.Column("created_at", TIME, nullable=False),
    sa.Column("closed_at", TIME),
    sa.CheckConstraint("id = 1", name="one_study"),
)

rater = sa.Table(
    "rater",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("name", sa.String(200)),
    sa.Column("token_hash", KEY),
    sa.Column("joined_at", TIME),
    sa.Column("consented_at", TIME),
    sa.Column("left_at", TIME),
    sa.Column("qualified_at", TIME),
    sa.Column("refused_at", TIME),
    sa.UniqueConstraint("seat", name="rater_seat"),
    sa.UniqueConstraint("name", name="rater_name"),
    sa.UniqueConstraint("token_hash", name="rater_token"),
)

task = sa.Table(
    "task",
    metadata,
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
    sa.Column("batch", sa.Integer),
    sa.Column("is_qualification", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("task_position", "rater_id", "position"),
)

question = sa.Table(
    "question",
    metadata,
    sa.Column("task_id", sa.Integer, sa.ForeignKey("task.id"), primary_key=True),
    sa.Column("dimension", sa.String(200), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
)

rating = sa.Table(
    "rating",
    metadata,
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
        ["task_id", "dimension"], ["question.task_id", "question.dimension"], name="rating_question"
    ),
    sa.UniqueConstraint("task_id", "dimension", "revision", name="rating_revision"),
    sa.UniqueConstraint("task_id", "dimension", "client", name="rating_client"),
)

audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("at", TIME, nullable=False),
    sa.Column("by", sa.String(200), nullable=False),
    sa.Column("act", sa.String(40), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)

adjudication = sa.Table(
    "adjudication",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("systems", sa.Text, nullable=False),
    sa.Column("dimension", sa.String(200), nullable=False),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("cause", sa.String(40), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("by", sa.String(200), nullable=False),
    sa.Column("provenance", sa.Text, nullable=False),
    sa.Column("at", TIME, nullable=False),
)

# The newest revision of each answer: a view, so that people with a SQL prompt see it too.
current = sa.table(
    "current_rating",
    *(sa.column(c.name, c.type) for c in rating.columns),
)
