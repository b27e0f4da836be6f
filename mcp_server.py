"""The same tools over MCP on standard input and output: `python mcp_server.py`.

Acts for the person that DEFAULT_USER names, on the database that DATABASE_URL names. The workbench serves the same at
`/mcp`, where a token says who asks.
"""

from __future__ import annotations

import logging
import sys
from datetime import datetime
from functools import cache

import anyio
from mcp.server.stdio import stdio_server

from db.connection import Database
from db.opening import open_store
from db.users import find_user
from engine.completing.values import ComposerSettings
from mcp_door.confirmations import Confirmations
from mcp_door.server import Door, NobodyError, Person
from settings import load_settings


def now_here() -> datetime:
    return datetime.now().astimezone()


@cache
def load_database() -> Database:
    return open_store(now_here)


def identify(_request: object) -> Person:
    """The person of the settings. Never somebody else, also if there is no such person."""
    handle = load_settings().default_user
    database = load_database()
    with database.read() as session:
        user = find_user(session, handle)
    if user is None:
        raise NobodyError(f"There is nobody called '{handle}' in this database. Set DEFAULT_USER to a person's handle.")
    return Person(database, user, "stdio")


def make_door() -> Door:
    settings = load_settings()
    return Door(
        identify,
        now_here,
        Confirmations(settings.mcp_question_seconds),
        composer=ComposerSettings(*settings.composition),
    )


async def serve() -> None:
    server = make_door().make_server()
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    try:
        anyio.run(serve)
    except KeyboardInterrupt:
        sys.exit(130)
