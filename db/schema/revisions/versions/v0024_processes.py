"""Several processes serve one store: what one of them knew alone stands in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "confirmations",
        sa.Column("digest", _TEXT, primary_key=True),
        sa.Column("user_id", _TEXT, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("tool_call", sa.JSON, nullable=False),
        sa.Column("asked", sa.JSON, nullable=False),
        sa.Column("shown", _TEXT, nullable=False),
        sa.Column("held_at", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_index("confirmations_by_user", "confirmations", ["user_id", "held_at"])
    # Turns and comparisons of before belong to no process: nobody works on them any more.
    op.add_column("turns", sa.Column("worker", _TEXT))
    op.add_column("comparisons", sa.Column("worker", _TEXT))
    op.add_column("comparisons", sa.Column("wants_end", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("comparisons", sa.Column("recipe", sa.JSON))
    op.add_column("evaluation_runs", sa.Column("wants_end", sa.Boolean, nullable=False, server_default=sa.false()))
