"""The store as it was when Alembic began."""

from __future__ import annotations

from alembic import op

from db.schema.baseline import make_baseline

revision = "0021"
down_revision = None


def upgrade() -> None:
    make_baseline(op.get_bind())
