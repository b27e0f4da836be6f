"""Things that every session shares, opened once per process.

Plain `functools.cache` rather than `st.cache_resource`: the routes beside Streamlit (`/health`) use the
same database, and they run outside any browser session.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache

from db.connection import Database
from db.executor import Executor
from db.seed import seed_empty_database
from db.users import User
from settings import load_settings, resolve_database_url


def now_here() -> datetime:
    return datetime.now().astimezone()


@cache
def load_database() -> Database:
    settings = load_settings()
    url = resolve_database_url(settings.database_url)
    database = Database(url, patience_seconds=settings.database_patience_seconds)
    if settings.demo_users:
        seed_empty_database(database, now_here)
    return database


def make_executor(user: User) -> Executor:
    return Executor(load_database(), user, now_here)
