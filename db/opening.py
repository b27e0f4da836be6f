"""Opening the store that the settings name: the workbench and the MCP server over stdio begin alike."""

from __future__ import annotations

from db.connection import Database
from db.seed import seed_empty_database
from db.tasks.service import Clock
from settings import load_settings, resolve_database_url


def open_store(clock: Clock) -> Database:
    """With the demo people in it, where it was empty and the settings want them."""
    settings = load_settings()
    url = resolve_database_url(settings.database_url)
    database = Database(
        url, patience_seconds=settings.database_patience_seconds, connections=settings.database_connections
    )
    if settings.demo_users:
        seed_empty_database(database, clock)
    return database
