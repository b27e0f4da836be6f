"""People log in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.add_column("users", sa.Column("role", _TEXT))
    op.create_table(
        "identities",
        sa.Column("issuer", _TEXT, primary_key=True),
        sa.Column("subject", _TEXT, primary_key=True),
        sa.Column("user_id", _TEXT, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "logins",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("user_id", _TEXT, sa.ForeignKey("users.id"), nullable=False),
        sa.Column("began_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("ended_at", _MOMENT),
    )
    op.create_index("logins_by_end", "logins", ["expires_at"])
