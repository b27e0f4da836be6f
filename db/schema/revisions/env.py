"""Run by Alembic, with the connection that `db.schema.upgrading` brings up to date."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from alembic import context
from alembic.runtime.migration import MigrationContext, MigrationInfo
from sqlalchemy import text

_ADD = "INSERT INTO schema_version (version, name, applied_at) VALUES (:version, :name, CURRENT_TIMESTAMP)"


def note_version(
    ctx: MigrationContext, step: MigrationInfo, heads: Collection[Any], run_args: Mapping[str, Any]
) -> None:
    """Where Twolanes from before Alembic look for it, too."""
    if ctx.connection is not None and step.up_revision_id is not None:
        name = str(getattr(step.up_revision, "doc", step.up_revision_id))[:80]
        ctx.connection.execute(text(_ADD), {"version": int(step.up_revision_id), "name": name})


context.configure(
    connection=context.config.attributes["connection"], on_version_apply=note_version, transactional_ddl=True
)
with context.begin_transaction():  # the caller's own: Alembic neither begins nor commits it
    context.run_migrations()
