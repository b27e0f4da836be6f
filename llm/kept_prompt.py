"""The beginning of the embedded model's prompt, the same for everybody: read once, and kept for all slots and starts.

To read it takes most of a start. What the model made of it is a file of 6 MB that a slot takes in within milliseconds.
Nothing that people say is ever kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llm.border.client import make_client
from llm.embedded import TEMPLATE
from llm.embedded_child import CONTEXT_TOKENS, SLOTS
from llm.endpoint import Endpoint

Read = Callable[[int], Awaitable[object]]
_SECONDS = 20.0
_MOST_FILES = 4
"""Of different models, prompts and versions; the oldest go."""


class KeptPrompt:
    def __init__(self, folder: Path, *parts: Path | None) -> None:
        """`parts`: the files that the model is made of."""
        self.folder, self._parts = folder, parts

    def prepare(self) -> Path | None:
        """The folder, which only this user may look into; None where nothing can be kept."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            return None
        return self.folder if os.access(self.folder, os.W_OK) else None

    async def fill_slots(self, endpoint: Endpoint, request: Mapping[str, Any], read: Read) -> None:
        """`read(slot)` has the slot read the request. Whatever cannot be kept is read by each slot."""
        name = self._name(request)
        if self._has(name) and await _take_in(endpoint, name, range(SLOTS)):
            return
        await read(0)
        if not (await self._keep(endpoint, name) and await _take_in(endpoint, name, range(1, SLOTS))):
            for slot in range(1, SLOTS):
                await read(slot)

    def _has(self, name: str) -> bool:
        """An empty one, as a machine leaves it that lost its power, is none."""
        file = self.folder / name
        return file.exists() and file.stat().st_size > 0

    def _name(self, request: Mapping[str, Any]) -> str:
        """Another model, prompt or version of llama.cpp has another one."""
        files = [(str(part), part.stat().st_size, part.stat().st_mtime_ns) for part in self._parts if part]
        told = [files, TEMPLATE.read_text(encoding="utf-8"), version("xllamacpp"), CONTEXT_TOKENS, dict(request)]
        return f"prompt-{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]}.bin"

    async def _keep(self, endpoint: Endpoint, name: str) -> bool:
        half = f"{name}.{os.getpid()}"
        if not await _act(endpoint, 0, "save", half):
            return False
        try:
            (self.folder / half).replace(self.folder / name)
        except OSError:
            return False
        self._tidy()
        return True

    def _tidy(self) -> None:
        with contextlib.suppress(OSError):  # another process tidies up, too
            files = sorted(self.folder.glob("prompt-*.bin"), key=lambda file: file.stat().st_mtime, reverse=True)
            for old in files[_MOST_FILES:]:
                old.unlink()


async def _take_in(endpoint: Endpoint, name: str, slots: Iterable[int]) -> bool:
    return all([await _act(endpoint, slot, "restore", name) for slot in slots])


async def _act(endpoint: Endpoint, slot: int, action: str, name: str) -> bool:
    """On a connection of its own: the server closes one that has waited for seconds, as while a slot reads."""
    import openai  # late, as where the client is made

    async with make_client(endpoint, _SECONDS) as client:
        url = str(client.base_url.join(f"/slots/{slot}?action={action}"))
        try:
            await client.post(url, cast_to=object, body={"filename": name})
        except openai.APIError:
            return False
    return True
