"""An answer of the embedded model as raw text with the probability of each token, read into words and calls.

llama.cpp streams no probabilities together with tools. So its template makes the prompt, it goes on from there, and the
blocks that our template asks for (`llm/chat_template.jinja`) are found here. Other endpoints are asked as ever.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from llm.border.whole_text import read_json, whole
from llm.trace import LaneError, ModelAnswer, RawCall

if TYPE_CHECKING:
    import openai

_OPENING, _CLOSING = "<tool_call>", "</tool_call>"
_END_OF_TURN = "<|im_end|>"
_TEMPLATED = ("messages", "tools")
_KEPT = ("model", "max_tokens", "temperature", "id_slot")


class WordsOnly:
    """Passes on what is words for people; a block, or what may become one, is none."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text, self._waiting, self._closed = on_text, "", False

    def __call__(self, piece: str) -> None:
        if self._closed:
            return
        words, opened, _ = (self._waiting + piece).partition(_OPENING)
        self._closed = bool(opened)
        begun = 0 if opened else _begun(words)
        self._waiting, words = words[len(words) - begun :], words[: len(words) - begun]
        if words:
            self._on_text(words)


def _begun(text: str) -> int:
    """How many characters at the end may be the beginning of a block."""
    return next((size for size in range(len(_OPENING) - 1, 0, -1) if text.endswith(_OPENING[:size])), 0)


def with_calls(answer: ModelAnswer) -> ModelAnswer:
    """The same answer, its blocks read as calls."""
    words, calls = read_blocks(answer.text)
    reason = "tool_calls" if calls and answer.finish_reason == "stop" else answer.finish_reason
    return replace(answer, text=words, calls=calls, finish_reason=reason)


def read_blocks(text: str) -> tuple[str, tuple[RawCall, ...]]:
    """The words before the first block, and each block as a call. A block that is none has no name, and is found broken
    by whoever checks calls."""
    words, *blocks = text.split(_OPENING)
    return words.strip(), tuple(_read_block(block.partition(_CLOSING)[0].strip()) for block in blocks)


def _read_block(block: str) -> RawCall:
    try:
        data = read_json(block)
        name, arguments = data["name"], data.get("arguments")
    except (ValueError, KeyError, TypeError, AttributeError):
        return RawCall("", block)
    return RawCall(whole(str(name)), json.dumps({} if arguments is None else arguments, ensure_ascii=False))


async def stream_text(client: openai.AsyncOpenAI, request: Mapping[str, Any]) -> AsyncGenerator[object]:
    """The events of the answer in the form of a chat's, with a probability for each token."""
    import openai  # late, as where the client is made

    body = {name: request[name] for name in _TEMPLATED if name in request}
    templated = await client.post(str(client.base_url.join("/apply-template")), cast_to=object, body=body)
    prompt = templated.get("prompt") if isinstance(templated, dict) else None
    if not isinstance(prompt, str):
        raise LaneError("unreadable", "The embedded model's server gave no prompt.")
    completion = {
        **{name: request[name] for name in _KEPT if name in request},
        "prompt": prompt,
        "stop": [_END_OF_TURN],
        "logprobs": 1,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    stream = await client.post(
        "/completions", cast_to=object, body=completion, stream=True, stream_cls=openai.AsyncStream[object]
    )
    async with stream:
        async for data in stream:
            yield _as_chat(data)


def _as_chat(event: object) -> object:
    if not isinstance(event, dict) or not isinstance(event.get("choices"), list):
        return event
    choices = [
        {**each, "delta": {"content": each.get("text")}} if isinstance(each, dict) else each
        for each in event["choices"]
    ]
    return {**event, "choices": choices}
