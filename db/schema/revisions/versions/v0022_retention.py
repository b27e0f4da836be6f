"""Turns may lose their words after a while."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("turns", sa.Column("stripped_at", sa.TIMESTAMP(timezone=True)))
    # Only what still has its words is looked through: the index stays as small as the time they are kept.
    op.execute("CREATE INDEX turns_with_words ON turns (created_at) WHERE stripped_at IS NULL")
