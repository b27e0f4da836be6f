"""What a hostile endpoint answers, by name, over real HTTP: `python -m benchmarks.hostile_endpoint` runs them all."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from tests.llm.fault_server import (
    HEAD,
    Answer,
    FaultServer,
    call,
    cut_chunked,
    drip_then_hang,
    hang,
    serve,
    status,
    stream,
)

__all__ = ["ENDLESS", "FAULTS", "FaultServer", "serve"]
ADD = {"name": "add_task", "arguments": '{"title": "owned"}'}
_START = HEAD + b"Connection: close\r\n\r\n"
_DEEP = 50_000


def events(*bodies: Any) -> bytes:
    """Whatever stands in them, as events of a stream that ends as it should."""
    written = [body if isinstance(body, bytes) else json.dumps(body).encode() for body in (*bodies, _end())]
    return _START + b"".join(b"data: " + body + b"\n\n" for body in written) + b"data: [DONE]\n\n"


def chunk(delta: Any, **more: Any) -> dict[str, Any]:
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", **_choices(delta, more)}


def _choices(delta: Any, more: dict[str, Any]) -> dict[str, Any]:
    top = {name: more.pop(name) for name in ("usage", "choices") if name in more}
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None, **more}], **top}


def _end() -> dict[str, Any]:
    return chunk({}, finish_reason="stop")


def part(index: Any, function: Any) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "id": "c", "type": "function", "function": function}]}


def said(**more: Any) -> dict[str, Any]:
    return chunk({"content": "Hello."}, **more)


def probability(value: Any) -> bytes:
    return events(chunk(part(0, ADD), logprobs={"content": [{"token": "x", "logprob": value}]}))


def endless(piece: bytes, head: bytes = _START) -> Callable[[FaultServer, Any], None]:
    def answer(server: FaultServer, out: Any) -> None:
        out.write(head)
        for _ in range(400_000_000 // len(piece)):
            out.write(piece)

    return answer


def slowly(server: FaultServer, out: Any) -> None:
    """A comment now and then keeps the connection alive for ever."""
    out.write(_START)
    while not server.released.wait(0.05):
        out.write(b": still here\n\n")
        out.flush()


def bomb(name: str, window: int) -> Callable[[FaultServer, Any], None]:
    def answer(server: FaultServer, out: Any) -> None:
        out.write(HEAD + b"Content-Encoding: " + name.encode() + b"\r\nConnection: close\r\n\r\n")
        packer = zlib.compressobj(9, wbits=window)
        for piece in (b"data: ", *[b"x" * 1_000_000] * 1000, b"\n\n"):
            out.write(packer.compress(piece))
        out.write(packer.flush())

    return answer


def redirect(code: int) -> Callable[[FaultServer, Any], None]:
    """To itself under another name; who follows is given a call."""

    def answer(server: FaultServer, out: Any) -> None:
        port = server.server_address[1]
        if f"Host: localhost:{port}" in server.headers:
            out.write(events(chunk(part(0, ADD))))
        else:
            out.write(status(code, f"Location: http://localhost:{port}/v1/chat/completions\r\n"))

    return answer


def _texts() -> Iterator[tuple[str, Answer]]:
    yield "half a character, then the other", events(b'{"choices":[{"delta":{"content":"a \\ud83d"}}]}', _other_half())
    yield "half a character alone", events(b'{"choices":[{"delta":{"content":"a \\ud83d b"}}]}')
    yield "halves the wrong way round", events(b'{"choices":[{"delta":{"content":"\\ude00\\ud83d"}}]}')
    yield "half a character at the end", events(b'{"choices":[{"delta":{"content":"a \\ud83d"}}]}')
    yield "a NUL in the text", events(chunk({"content": "a\0b"}))
    yield "bytes that are no UTF-8", stream({"content": "caf"}).replace(b"caf", b"caf\xff\xfe")
    yield "content as a list", events(chunk({"content": [{"type": "text", "text": "hi"}]}))
    yield "content as an object", events(chunk({"content": {"text": "hi"}}))
    yield "content as a number", events(chunk({"content": 7}))
    yield "content as true", events(chunk({"content": True}))
    yield "delta as null", events(chunk(None))
    yield "delta as a text", events(chunk("hi"))
    yield "choices as null", events(said(choices=None))
    yield "choices as an object", events(said(choices={"0": {}}))
    yield "choices of null", events(said(choices=[None]))
    yield "finish_reason as a list", events(said(finish_reason=["stop"]))
    yield "finish_reason of 100,000 characters", events(said(finish_reason="s" * 100_000))
    yield "half a character as finish_reason", events(said(finish_reason="\ud83d"))


def _other_half() -> bytes:
    return b'{"choices":[{"delta":{"content":"\\ude00 b"}}]}'


def _numbers() -> Iterator[tuple[str, Answer]]:
    for name, value in {
        "as text": "nine",
        "below nought": -1,
        "with a fraction": 1.5,
        "of 400 digits": 10**400,
        "as a list": [1],
        "as true": True,
    }.items():
        yield f"token counts {name}", events(said(usage={"prompt_tokens": value, "completion_tokens": value}))
    yield "usage as a text", events(said(usage="much"))
    yield "log-probabilities as text", probability("-0.5")
    yield "a log-probability of 5", probability(5)
    yield "a log-probability of 1e308", probability(1e308)
    yield "a log-probability that is no number", probability(float("nan"))
    yield "a log-probability without end", probability(float("-inf"))
    yield "a log-probability as null", probability(None)
    yield "a log-probability of 400 digits", probability(-(10**400))
    yield "logprobs as a list", events(said(logprobs=[-0.5]))
    yield "logprobs of texts", events(said(logprobs={"content": ["-0.5"]}))
    yield "a number of 5,000 digits", events(b'{"choices": [], "created": ' + b"9" * 5000 + b"}")


def _calls() -> Iterator[tuple[str, Answer]]:
    yield "mixed call indexes", events(chunk(part(0, ADD)), chunk(part("1", ADD)))
    yield "an index of null beside a number", events(chunk(part(1, ADD)), chunk(part(None, ADD)))
    yield "an index below nought", events(chunk(part(-1, ADD)))
    yield "an index of 400 digits", events(chunk(part(10**400, ADD)))
    yield "an index as true", events(chunk(part(True, ADD)))
    yield "an index as a list", events(chunk(part([0], ADD)))
    yield "half a character in a tool name", events(chunk(part(0, {"name": "add_\ud83dtask", "arguments": "{}"})))
    yield "a tool name as a list", events(chunk(part(0, {"name": ["add_task"], "arguments": "{}"})))
    yield "a tool name of 40,000 characters", events(chunk(part(0, {"name": "a" * 40_000, "arguments": "{}"})))
    yield "arguments as an object", events(chunk(part(0, {"name": "add_task", "arguments": {"title": "x"}})))
    yield "half a character in a title", stream(call("add_task", '{"title": "a \\ud83d"}'))
    yield "a NUL in a title", stream(call("add_task", '{"title": "a\\u0000b"}'))
    yield "half a character in an argument's name", stream(call("add_task", '{"title": "a", "\\ud83d": 1}'))
    yield "arguments nested 20,000 deep", stream(call("add_task", "[" * 20_000))
    yield "arguments nested 600 deep", stream(call("add_task", '{"title": ' + "[" * 600 + "]" * 600 + "}"))
    yield "an argument of 5,000 digits", stream(call("list_tasks", '{"limit": ' + "9" * 5000 + "}"))
    yield "an argument without end", stream(call("list_tasks", '{"limit": 1e999}'))
    yield "an argument that is no number", stream(call("list_tasks", '{"limit": NaN}'))
    yield "a function as a text", events(chunk(part(0, "add_task")))
    yield "tool_calls as an object", events(chunk({"tool_calls": {"0": ADD}}))
    yield "tool_calls of null", events(chunk({"tool_calls": [None]}))
    yield "1,500 calls", stream(*[call("add_task", f'{{"title": "t{place}"}}', place) for place in range(1500)])


def _forms() -> Iterator[tuple[str, Answer]]:
    yield "an event that is no JSON", _START + b"data: {nonsense\n\n"
    yield "an event that is a list", _START + b"data: [1, 2]\n\n"
    yield "an event that is a text", events(b'"hello"')
    yield "an event nested 50,000 deep", events(b"[" * _DEEP + b"]" * _DEEP)
    yield "an error as a list", events(b'{"error": ["no"]}')
    yield "an error with half a character", events(b'{"error": {"message": "\\ud83d"}}')
    yield "an answer that breaks off", stream({"content": "I will "}, finish=None)
    yield "an end without a beginning", _START
    yield "a whole answer as one JSON object", status(200, body='{"choices": [{"message": {"content": "hi"}}]}')
    yield "a page of HTML with status 200", status(200, body="<html>no</html>")
    yield "an error page of HTML", status(503, body="<html>no</html>")
    yield "an error body of half a character", status(400, body='{"error": {"message": "\\ud83d"}}')
    yield "an unheard-of status", status(799)
    yield "no HTTP at all", b"nothing like HTTP\r\n\r\n"
    yield "a head without end", endless(b"X-A: " + b"a" * 1000 + b"\r\n", HEAD)
    yield "a length that is none", HEAD + b"Content-Length: -5\r\n\r\n"
    yield "a length of 400 MB", HEAD + b"Content-Length: 400000000\r\n\r\ndata: x"
    yield "a connection cut inside a chunk", cut_chunked


def _floods() -> Iterator[tuple[str, Answer]]:
    yield "a line of 400 MB", endless(b"x" * 65_536, _START + b"data: ")
    yield "comments of 400 MB", endless(b":c\n" * 20_000)
    yield "400 MB of empty events", endless(b"data: {}\n\n" * 6000)
    yield "400 MB of an error's body", endless(b"x" * 65_536, b"HTTP/1.1 500 No\r\n\r\n")
    yield "a million characters", stream({"content": "x" * 1_000_000})
    yield "gzip that unfolds to a gigabyte", bomb("gzip", 31)
    yield "deflate that unfolds to a gigabyte", bomb("deflate", 15)
    yield "an encoding that nobody knows", HEAD + b"Content-Encoding: br, gzip\r\n\r\nxx"
    for code in (301, 302, 303, 307, 308):
        yield f"a redirect with status {code}", redirect(code)


ENDLESS: dict[str, Answer] = {
    "silence": hang,
    "a beginning, then silence": drip_then_hang,
    "a comment now and then": slowly,
    "a wait of a year": status(429, "Retry-After: 31536000\r\n"),
    "a wait that is no number": status(503, "Retry-After: nan\r\n"),
}
"""For these the time limit is all there is."""

FAULTS: dict[str, Answer] = dict([*_texts(), *_numbers(), *_calls(), *_forms(), *_floods(), *ENDLESS.items()])
