"""The embedded model's server, asked for what only it knows for sure: how it renders and how it tokenises."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from domains.loading import TASKS
from llm.embedded import EmbeddedServer
from llm.prompt import trained_system
from llm.tool_list import short_tools
from llm.weights import get_weights

_SEPARATOR = "<|endoftext|>"
_BATCH = 200
_AT_ONCE = 8


class Tokeniser:
    def __init__(self, root: str, key: str) -> None:
        self._root, self._key = root, key
        (self._end,) = self.tokens(_SEPARATOR)

    def render(self, messages: Sequence[Any], *, answer: bool = True, domain: str = TASKS) -> str:
        body = {"messages": list(messages), "tools": list(short_tools(domain)), "add_generation_prompt": answer}
        return str(self._post("/apply-template", body)["prompt"])

    def prefix(self, domain: str = TASKS) -> str:
        """What every conversation of a domain begins with: the system message with the tools."""
        return self.render([trained_system(domain)], answer=False, domain=domain)

    def tokens(self, text: str) -> list[int]:
        return list(self._post("/tokenize", {"content": text, "parse_special": True, "add_special": False})["tokens"])

    def tokens_of_all(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Many texts in one request, with a special token between them: no token ever spans it."""
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for found in pool.map(self._tokens_of_batch, batches):
                yield from found

    def _tokens_of_batch(self, batch: Sequence[str]) -> list[list[int]]:
        found: list[list[int]] = [[]]
        for token in self.tokens(_SEPARATOR.join(batch)):
            if token == self._end:
                found.append([])
            else:
                found[-1].append(token)
        if len(found) != len(batch):
            raise ValueError("A text holds the separator itself.")
        return found

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
        request = urllib.request.Request(self._root + path, json.dumps(body).encode(), headers)  # noqa: S310 - loopback
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
            return dict(json.load(answer))


@contextmanager
def running_tokeniser() -> Iterator[Tokeniser]:
    server = EmbeddedServer(get_weights())
    server.start()
    try:
        address = server.wait_ready(120)
        yield Tokeniser(address.base_url.removesuffix("/v1"), address.key)
    finally:
        server.stop()
