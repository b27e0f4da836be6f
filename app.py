"""The ASGI app that `streamlit run app.py` serves: the workbench, and the routes beside it on the same port.

This file is not the Streamlit script itself: with a `pages/` folder beside the script, Streamlit would
run a page alone on a cold deep link and skip the frame around it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route

from db.failures import StoreUnavailableError
from db.watch import StoreWatch
from engine.completing.values import ComposerSettings
from mcp_door.guard import Hosts
from mcp_door.http import HttpDoor
from settings import load_settings
from ui.lanes import shared_engine
from ui.resources import (
    environment_endpoint,
    load_database,
    now_here,
    warm_engine,
    warm_model,
)
from ui.sockets import send_small_answers_at_once
from ui.web_guard import WebGuard

KEYS = Path(__file__).parent / "assets" / "keys.js"
watch = StoreWatch(load_database, seconds=load_settings().store_look_seconds)


def health(_request: Request) -> JSONResponse:
    """Whether the workbench can be used, as last seen: asking costs nothing, whoever asks. Runs in a thread."""
    problem = watch.find_problem()
    return JSONResponse({"status": "error" if problem else "ok"}, status_code=503 if problem else 200)


def ready(_request: Request) -> JSONResponse:
    """The same, and what is wrong."""
    problem = watch.find_problem()
    if problem:
        return JSONResponse({"status": "error", "database": problem}, status_code=503)
    return JSONResponse({"status": "ok", "database": "ok"})


def keys(_request: Request) -> FileResponse:
    """The one script of our own, from here: what pages may run is written nowhere inside them."""
    return FileResponse(KEYS, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


def show_store_error(error: Exception) -> bool:
    """A store that cannot be used is said in a sentence on the page; any other error is a bug and shown as one."""
    if not isinstance(error, StoreUnavailableError):
        return False
    st.error(str(error), icon=":material/database_off:")
    st.button("Try again")
    return True


hosts = Hosts(load_settings().allowed_hosts)
door = HttpDoor(
    load_database,
    now_here,
    hosts=hosts,
    question_seconds=load_settings().mcp_question_seconds,
    decider=shared_engine,
    composer=ComposerSettings(*load_settings().composition),
)


@asynccontextmanager
async def serve(_app: st.App) -> AsyncIterator[None]:
    """The sessions of MCP clients and the look after the store live as long as the server does."""
    send_small_answers_at_once()
    watch.start()
    try:
        async with door.run():
            yield
    finally:
        watch.stop()


warm_engine(shared_engine)
warm_model(environment_endpoint())
app = st.App(
    "ui/frame.py",
    routes=[
        Route("/health", health),
        Route("/ready", ready),
        Route("/keys.js", keys),
        Route("/mcp", door),
        Route("/mcp/", door),
    ],
    middleware=[Middleware(WebGuard, hosts=hosts)],
    lifespan=serve,
    on_script_error=show_store_error,
)
