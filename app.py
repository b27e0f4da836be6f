"""The ASGI app that `streamlit run app.py` serves: the workbench, and the routes beside it on the same port.

This file is not the Streamlit script itself: with a `pages/` folder beside the script, Streamlit would
run a page alone on a cold deep link and skip the frame around it.
"""
# ruff: noqa: E402 - most of a start is what is imported below

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ui.seldom_garbage import stop_looking

stop_looking()  # before what is imported here, and until the engine is warm

import pandas  # noqa: F401 - whole before anybody is served: plotly asks a half-loaded one for what it has not yet
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

from db.failures import StoreUnavailableError
from db.processes import Presence
from db.roles import RoleRefusedError
from db.turns.retention import RetentionWatch
from db.watch import StoreWatch
from engine.completing.values import ComposerSettings
from mcp_door.guard import Hosts
from mcp_door.http import HttpDoor
from settings import load_settings
from telemetry.spans import start_exporting
from ui.drawn_html import tell_styles_by_their_beginning
from ui.fewer_wakes import wake_seldom
from ui.gone_fragments import let_newest_run_say_which_fragments
from ui.identity import is_login_on
from ui.kept_theme import keep_theme
from ui.lanes import shared_engine
from ui.logging_in import LoginNeededError
from ui.login_guard import LoginGuard, refuse_open_doors
from ui.no_request_lost import lose_no_request
from ui.operations import Operations
from ui.resources import (
    environment_endpoint,
    find_retention,
    now_here,
    open_database,
    warm_engine,
    warm_model,
)
from ui.server_logs import set_up_logs
from ui.sockets import send_small_answers_at_once
from ui.taking_over import take_over_work
from ui.unawaited_threads import start_without_waiting
from ui.web_guard import WebGuard
from ui.whole_callbacks import let_callbacks_finish

KEYS = Path(__file__).parent / "assets" / "keys.js"
watch = StoreWatch(open_database, seconds=load_settings().store_look_seconds)
presence = Presence(open_database, now_here, take_over_work)
retention = RetentionWatch(open_database, find_retention(), now_here)


def keys(_request: Request) -> FileResponse:
    """The one script of our own, from here: what pages may run is written nowhere inside them."""
    return FileResponse(KEYS, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


def say_what_stopped(error: Exception) -> bool:
    """A store that cannot be used, a role that may not do this and a login that is over are said in a sentence on the
    page; any other error is a bug and shown as one."""
    if isinstance(error, RoleRefusedError):
        st.warning(str(error), icon=":material/lock:")
    elif isinstance(error, LoginNeededError):
        st.info(str(error), icon=":material/login:")
        st.button("Go on")
    elif isinstance(error, StoreUnavailableError):
        st.error(str(error), icon=":material/database_off:")
        st.button("Try again")
    else:
        return False
    return True


hosts = Hosts(load_settings().allowed_hosts)
door = HttpDoor(
    open_database,
    now_here,
    hosts=hosts,
    question_seconds=load_settings().mcp_question_seconds,
    decider=shared_engine,
    composer=ComposerSettings(*load_settings().composition),
    login_on=is_login_on,
)


@asynccontextmanager
async def serve(_app: st.App) -> AsyncIterator[None]:
    """The sessions of MCP clients and the look after the store live as long as the server does."""
    send_small_answers_at_once()
    watch.start()
    retention.start()
    presence.start()
    try:
        async with door.run():
            yield
    finally:
        presence.stop()
        retention.stop()
        watch.stop()


set_up_logs()
let_callbacks_finish()
let_newest_run_say_which_fragments()
lose_no_request()
start_without_waiting()
wake_seldom()
keep_theme()
tell_styles_by_their_beginning()
refuse_open_doors()
start_exporting()
warm_engine(shared_engine)
warm_model(environment_endpoint())
app = st.App(
    "ui/frame.py",
    routes=[
        *Operations(watch, door.count_sessions).routes,
        Route("/keys.js", keys),
        Route("/mcp", door),
        Route("/mcp/", door),
    ],
    middleware=[Middleware(WebGuard, hosts=hosts), Middleware(LoginGuard, load_database=open_database)],
    lifespan=serve,
    on_script_error=say_what_stopped,
)
