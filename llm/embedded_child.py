"""The process that holds the embedded model: llama.cpp behind an OpenAI-compatible address on loopback.

Its parent (`llm.embedded`) writes one line of orders to standard input and reads one line with the address
from standard output. When standard input ends, whoever started it is gone, and so is it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
from typing import Any

_PR_SET_PDEATHSIG = 1
CONTEXT_TOKENS = 4096
"""For each slot. The trained prompt with all tools takes 266 of them; a list as a tool's result takes most."""
SLOTS = 2
"""Answers that are written at the same time; further ones wait their turn."""
_MOST_THREADS = 4
_PROMPT_CACHE_MIB = 256
NICENESS = 10
"""By how much it steps back behind pages and the engine."""


def main() -> None:
    orders = json.loads(sys.stdin.readline())
    _die_with_parent(orders["parent"])
    _step_back()
    # llama.cpp may print; only the address goes to the pipe that the parent reads.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    threading.Thread(target=_watch_parent, daemon=True).start()
    try:
        server = _start_server(orders)
        answer = {"url": server.listening_address}
    except Exception as error:
        answer = {"error": str(error) or type(error).__name__}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
    if "url" in answer:
        threading.Event().wait()


def _start_server(orders: dict[str, Any]) -> Any:
    import xllamacpp  # type: ignore[import-untyped]  # late: the parent must be watched before it loads

    params = xllamacpp.CommonParams()
    params.model.path = orders["model"]
    params.model_alias = {orders["name"]}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [orders["key"]]
    params.ui = params.endpoint_slots = False
    params.use_jinja, params.chat_template = True, orders["template"]
    if orders["adapter"]:
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(orders["adapter"], 1.0)]
    params.n_ctx, params.n_parallel = CONTEXT_TOKENS * SLOTS, SLOTS
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    if orders["slots_folder"]:
        params.slot_save_path = orders["slots_folder"] + os.sep
    params.n_gpu_layers = 0  # such a small model is quick enough, and every machine answers the same
    threads = max(1, min(_cores(), _MOST_THREADS))
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cpuparams.poll = params.cpuparams_batch.poll = 0  # waiting threads leave the cores to others
    params.verbosity = 0  # a log would hold what people say
    return xllamacpp.Server(params)


def _step_back() -> None:
    """The model may use every core, but pages and the engine come first: nobody waits for it."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def _cores() -> int:
    """Those that this process may use: in a container, or pinned, it may be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _watch_parent() -> None:
    """The parent never writes again: the end of the pipe is the end of the parent, on every system."""
    sys.stdin.read()
    os._exit(0)


def _die_with_parent(parent: int) -> None:
    """On Linux the kernel sees to it as well, also while llama.cpp keeps Python from running."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(0)


if __name__ == "__main__":
    main()
