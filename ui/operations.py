"""The routes for those who run the server: alive, ready, and the figures. None of them tells a text or a name."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from db.schema.upgrading import LATEST
from db.watch import StoreWatch
from llm.shared_server import find_shared_server, is_installed
from settings import load_settings
from telemetry import metrics
from ui import background
from ui.resources import environment_endpoint, open_database
from ui.talk import live_turns


@dataclass(frozen=True)
class Operations:
    watch: StoreWatch
    count_sessions: Callable[[], int]
    """Of MCP clients."""

    @property
    def routes(self) -> list[Route]:
        self._watch_queues()
        return [Route("/health", self.health), Route("/ready", self.ready), Route("/metrics", self.metrics)]

    def health(self, _request: Request) -> JSONResponse:
        """Whether the workbench can be used, as last seen: asking costs nothing, whoever asks. Runs in a thread."""
        problem = self.watch.find_problem()
        return JSONResponse({"status": "error" if problem else "ok"}, status_code=503 if problem else 200)

    def ready(self, _request: Request) -> JSONResponse:
        """The same, and what is wrong: with the store, with its schema. A model that is not there is told, and no
        reason to stay away: the engine answers without it."""
        problem = self.watch.find_problem()
        told: dict[str, Any] = {"status": "error" if problem else "ok", "database": problem or "ok"}
        told["migrations"] = {"applied": self.watch.schema_version, "known": LATEST}
        told["model"] = describe_model()
        return JSONResponse(told, status_code=503 if problem else 200)

    def metrics(self, request: Request) -> Response:
        """For Prometheus; each process tells its own."""
        wanted = load_settings().metrics_token.get_secret_value()
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if wanted and not hmac.compare_digest(wanted.encode(), given.encode("utf-8", "replace")):
            return Response(status_code=401, headers={"WWW-Authenticate": "Bearer"})
        return Response(metrics.write(), media_type=metrics.CONTENT_TYPE)

    def _watch_queues(self) -> None:
        metrics.watch("store_usable", "1 where the store can be read and written.", self._is_store_usable)
        metrics.watch(
            "llm_turns_under_way", "Turns that wait for a model, or for their turn.", live_turns.count_running
        )
        metrics.watch("background_work", "Comparisons, evaluations and replays that run.", _count_work)
        metrics.watch("mcp_sessions", "Open sessions of MCP clients.", self.count_sessions)
        metrics.watch("store_writers_waiting", "Threads that wait for their turn to write.", _count_writers)

    def _is_store_usable(self) -> float:
        return 0.0 if self.watch.find_problem() else 1.0


def describe_model() -> str:
    """The environment's: off, elsewhere (somebody else's to watch), or how the embedded one is doing."""
    kind = environment_endpoint().kind
    if kind != "embedded":
        return "off" if kind == "off" else "elsewhere"
    server = find_shared_server()
    if server is None:
        return "not started" if is_installed() else "not installed"
    return "getting ready" if server.is_getting_ready else server.problem or "ready"


def _count_work() -> float:
    return len(background.running_ids())


def _count_writers() -> float:
    return open_database().writers_waiting
