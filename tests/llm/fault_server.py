"""An endpoint on loopback that speaks HTTP for real and goes wrong in the ways that endpoints do."""

from __future__ import annotations

import contextlib
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from typing import Any

Answer = bytes | Callable[["FaultServer", Any], None]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


class FaultServer(socketserver.ThreadingTCPServer):
    """Gives the answers in order, the last one for ever; remembers what it was asked."""

    allow_reuse_address, daemon_threads = True, True

    def __init__(self, answers: list[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.requests = answers, list[dict[str, Any]]()
        self.headers: list[str] = []
        self.released, self.asked = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(socketserver.StreamRequestHandler):
    server: FaultServer

    def handle(self) -> None:
        head = []
        while line := self.rfile.readline().strip():
            head.append(line.decode())
        length = next((int(line.split(":")[1]) for line in head if line.lower().startswith("content-length")), 0)
        place = len(self.server.requests)
        self.server.headers += head
        self.server.requests.append(json.loads(self.rfile.read(length) or b"{}"))
        self.server.asked.set()
        answer = self.server.answers[min(place, len(self.server.answers) - 1)]
        with contextlib.suppress(OSError):  # the client may have hung up, which is its right
            if isinstance(answer, bytes):
                self.wfile.write(answer)
            else:
                answer(self.server, self.wfile)


@contextlib.contextmanager
def serve(*answers: Answer) -> Iterator[FaultServer]:
    with FaultServer(list(answers)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.released.set()
        server.shutdown()
        thread.join()


def status(code: int, extra: str = "", body: str = '{"error": {"message": "no"}}') -> bytes:
    head = f"HTTP/1.1 {code} Status\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{extra}Connection: close\r\n\r\n{body}".encode()


def stream(*deltas: dict[str, Any], finish: str | None = "stop") -> bytes:
    """A whole answer in server-sent events; without `finish` it breaks off before its end."""
    chunks = [_chunk(delta) for delta in deltas]
    if finish:
        usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
        chunks += [_chunk({}, finish), json.dumps({**json.loads(_chunk({})), "choices": [], "usage": usage}), "[DONE]"]
    return HEAD + b"Connection: close\r\n\r\n" + "".join(f"data: {chunk}\n\n" for chunk in chunks).encode()


def call(name: str, arguments: str, place: int = 0) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": place, "id": f"c{place}", "type": "function", "function": function}]}


def hang(server: FaultServer, out: Any) -> None:
    server.released.wait(60)


def drip_then_hang(server: FaultServer, out: Any) -> None:
    out.write(stream({"content": "one "}, finish=None))
    out.flush()
    server.released.wait(60)


def cut_chunked(server: FaultServer, out: Any) -> None:
    """The connection closes inside a chunk of the transfer."""
    event = f"data: {_chunk({'content': 'half'})}\n\n"
    out.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\nfff\r\n" + event.encode())


def _chunk(delta: dict[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return json.dumps({"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})
