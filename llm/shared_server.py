"""The one embedded server of this process: shared with the others of this machine, or its own."""

from __future__ import annotations

import atexit
import hashlib
from functools import partial
from pathlib import Path

from llm.embedded import EmbeddedError, EmbeddedServer
from llm.kept_prompt import KeptPrompt
from llm.machine_server import CAN_SHARE, MachineServer, ModelServer
from llm.process import find_kept, keep_once
from llm.warming import warm_up
from llm.weights import find_adapter, find_merged, find_weights
from settings import load_settings


def shared_server() -> ModelServer:
    """The one server of this process, started on first use."""
    found = _find()
    if found is None:
        raise EmbeddedError("The embedded model is not installed. To get it: make model")
    return keep_once(_name(*found), lambda: _start(*found))


def find_shared_server() -> ModelServer | None:
    """The server if somebody has started it; starts nothing."""
    found = _find()
    server: ModelServer | None = find_kept(_name(*found)) if found else None
    return server


def _find() -> tuple[Path, Path | None] | None:
    """Weights and adapter; the adapter is None where it is merged into them, or not wanted."""
    merged = find_merged()
    if merged:
        return merged, None
    weights = find_weights()
    return (weights, find_adapter()) if weights else None


def is_installed() -> bool:
    return _find() is not None


def is_starting() -> bool:
    """Whether the model is there, and not ready yet; starts nothing."""
    server = find_shared_server()
    return server.is_getting_ready if server else _find() is not None


def _name(weights: Path, adapter: Path | None) -> tuple[str, str, str]:
    return "embedded server", str(weights), str(adapter or "")


def _place_of(weights: Path, adapter: Path | None) -> Path:
    """Processes that want the very same model meet there; another version of the code has one of its own."""
    told = "|".join(map(str, (*_name(weights, adapter), Path(__file__).parent)))
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    return model_folder() / "run" / f"model-{digest}"


def model_folder() -> Path:
    return Path(load_settings().model_folder).expanduser()


def _start(weights: Path, adapter: Path | None) -> ModelServer:
    kept = KeptPrompt(model_folder() / "read", weights, adapter)

    def make_own() -> EmbeddedServer:
        return EmbeddedServer(weights, partial(warm_up, kept=kept), adapter=adapter, slots_folder=kept.prepare())

    shared = CAN_SHARE and load_settings().embedded_shared
    server: ModelServer = MachineServer(make_own, _place_of(weights, adapter)) if shared else make_own()
    atexit.register(server.stop)
    server.start()
    return server
