"""Things that every session shares, opened once per process.

Plain `functools.cache` rather than `st.cache_resource`: the routes beside Streamlit (`/health`) use the
same database, and they run outside any browser session.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from datetime import datetime
from functools import cache

from db.connection import Database
from db.executor import Executor
from db.opening import open_store
from db.turns.retention import Retention
from db.users import User
from domains.deciders import make_engine
from engine.decision import Context, Decider
from engine.targets.memory_index import MemoryIndex
from llm.border.client import load_sdk
from llm.embedded import EmbeddedError
from llm.endpoint import Endpoint
from llm.locating import make_endpoint
from llm.shared_server import find_shared_server, shared_server
from llm.trace import LaneError
from settings import load_settings
from ui.identity import is_login_on
from ui.logging_in import get_logged_in, is_in_page
from ui.seldom_garbage import look_seldom
from ui.templates import compile_all


def now_here() -> datetime:
    return datetime.now().astimezone()


_opening = threading.Lock()


@cache
def open_once() -> Database:
    return open_store(now_here)


def open_database() -> Database:
    """The program's own: for the routes and for work that nobody asked for. Several threads ask as the server starts,
    and a process must have one: its writers queue in it."""
    with _opening:
        return open_once()


def load_database() -> Database:
    """The store for who uses the page that runs now: with a login, as far as their role goes. Here, and in the store
    itself, is all that pages know of roles."""
    if is_login_on() and is_in_page():
        return open_database().acting_as(get_logged_in(open_database()).role)
    return open_database()


def find_retention() -> Retention | None:
    """How long turns are kept; None: for ever."""
    settings = load_settings()
    return Retention(settings.keep_turns_days, settings.old_turns) if settings.keep_turns_days else None


def make_executor(user: User) -> Executor:
    return Executor(load_database(), user, now_here)


def environment_endpoint() -> Endpoint:
    """The model that the environment asks for; one that is off if it turns the lane off."""
    try:
        return make_endpoint()
    except LaneError:
        return Endpoint("off", "", "", timeout_seconds=load_settings().llm_timeout_seconds)


def warm_engine(engine: Callable[[], Decider] = make_engine) -> None:
    """Read the policies and decide once in each language, in the background, and read the templates that draw what was
    decided: the first message finds it warm."""

    def decide() -> None:
        context = Context(MemoryIndex(), now_here())
        try:
            for text in ("add a task to buy milk tomorrow", "aggiungi un'attività: comprare il latte domani"):
                engine().decide(text, context)
            compile_all()
        finally:
            look_seldom()  # modules, rules and templates are there

    threading.Thread(target=decide, name="warm-engine", daemon=True).start()


def warm_model(endpoint: Endpoint) -> None:
    """Start the embedded model in the background if it is the one that is asked: the first message finds it warm. For
    another one, load what it is asked with.

    Where it is not installed the workbench runs on without it, and Settings says how to get it.
    """
    if endpoint.kind == "embedded":
        with contextlib.suppress(EmbeddedError):
            shared_server()
    elif endpoint.kind != "off":
        threading.Thread(target=load_sdk, name="load-sdk", daemon=True).start()


def is_model_getting_ready(endpoint: Endpoint) -> bool:
    """Whether the embedded model is the one that is asked, and has been started but cannot answer yet."""
    server = find_shared_server() if endpoint.kind == "embedded" else None
    return server is not None and server.is_getting_ready
