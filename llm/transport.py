"""One request over the SDK, streamed into an Answer. Every way in which it can fail becomes a LaneError."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import Any

import openai
from openai.types.chat import ChatCompletionChunk

from llm.endpoint import Endpoint
from llm.trace import LaneError, ModelAnswer, RawCall

OnText = Callable[[str], None]
_ANSWER_LIMIT = 50_000
"""Characters. No sound answer comes near it; an endpoint gone wild is cut short."""
_NO_KEY = "none"
"""The SDK insists on a key; servers on this machine ask for none."""


def make_client(endpoint: Endpoint, seconds: float) -> openai.AsyncOpenAI:
    # Retries are ours, so that they are recorded and stay within the time limit of the turn.
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url, api_key=endpoint.key or _NO_KEY, max_retries=0, timeout=max(seconds, 0.1)
    )


async def exchange(
    client: openai.AsyncOpenAI, request: Mapping[str, Any], on_text: OnText | None = None
) -> ModelAnswer:
    """Send the request and gather the stream. Raises LaneError, and nothing else but cancellation
    and what `on_text` itself raises."""
    gathered = _Gathered(on_text)
    try:
        stream = await client.chat.completions.create(
            **dict(request), stream=True, stream_options={"include_usage": True}
        )
        async with stream:
            async for chunk in stream:
                gathered.add(chunk)
    except _ListenerError as error:
        raise error.__cause__ or error from None
    except openai.APIError as error:
        raise _explain(error, gathered.begun) from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise LaneError("unreadable", "The model's answer could not be read: it is not valid text.") from error
    except (AttributeError, TypeError, ValueError) as error:  # the SDK does not check what it unpacks
        raise LaneError("unreadable", "The model's answer could not be read: it has another form.") from error
    if not gathered.ended:
        raise LaneError("cut_off", "The model's answer broke off in the middle.", retry=not gathered.begun)
    return gathered.answer()


class _ListenerError(Exception):
    """The caller's own callback failed: not the endpoint's fault, and not to be mistaken for it."""


class _Gathered:
    """The fragments of an answer, put together."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._started = time.monotonic()
        self._texts: list[str] = []
        self._calls: dict[int, list[str]] = {}
        self._log_probabilities: list[float] = []
        self._size = 0
        self._answer = ModelAnswer()
        self.begun = self.ended = False

    def add(self, chunk: ChatCompletionChunk) -> None:
        if chunk.usage:
            self._answer = replace(
                self._answer,
                prompt_tokens=chunk.usage.prompt_tokens,
                answer_tokens=chunk.usage.completion_tokens,
            )
        for choice in chunk.choices[:1]:
            if choice.finish_reason:
                self._answer, self.ended = replace(self._answer, finish_reason=choice.finish_reason), True
            if choice.logprobs and choice.logprobs.content:
                self._log_probabilities += [token.logprob for token in choice.logprobs.content]
            self._add_text(choice.delta.content or "")
            for fragment in choice.delta.tool_calls or ():
                function = fragment.function
                if function:
                    self._add_fragment(fragment.index, function.name or "", function.arguments or "")

    def _add_text(self, text: str) -> None:
        if text:
            self._grow(text)
            self._texts.append(text)
            if self._on_text:
                try:
                    self._on_text(text)
                except Exception as error:
                    raise _ListenerError from error

    def _add_fragment(self, place: int, name: str, arguments: str) -> None:
        self._grow(name + arguments)
        call = self._calls.setdefault(place, ["", ""])
        call[0] += name
        call[1] += arguments

    def _grow(self, text: str) -> None:
        if not self.begun:
            self.begun = True
            self._answer = replace(self._answer, first_token_ms=(time.monotonic() - self._started) * 1000)
        self._size += len(text)
        if self._size > _ANSWER_LIMIT:
            raise LaneError("too_long", "The model's answer is far too long and was cut short.")

    def answer(self) -> ModelAnswer:
        calls = tuple(RawCall(name, arguments) for _, (name, arguments) in sorted(self._calls.items()))
        return replace(
            self._answer, text="".join(self._texts), calls=calls, log_probabilities=tuple(self._log_probabilities)
        )


def _explain(error: openai.APIError, begun: bool) -> LaneError:
    if isinstance(error, openai.APITimeoutError):
        return LaneError("timeout", "The model did not answer in time.")
    if isinstance(error, openai.APIConnectionError):
        if begun:
            return LaneError("cut_off", "The model's answer broke off in the middle.")
        return LaneError("connection", "The model's server cannot be reached.", retry=True)
    if isinstance(error, openai.APIStatusError):
        return _explain_status(error)
    return LaneError("server", "The model's server reported an error in the middle of its answer.", retry=not begun)


def _explain_status(error: openai.APIStatusError) -> LaneError:
    status = error.status_code
    if status in (401, 403):
        return LaneError(
            "refused_key",
            f"The endpoint refused the key (status {status}). Check it under Settings, or OPENAI_API_KEY.",
        )
    if status == 429:
        wait = _retry_after(error.response.headers)
        return LaneError(
            "rate_limit", "The endpoint gets too many requests at the moment.", retry=True, after_seconds=wait
        )
    if status >= 500:
        wait = _retry_after(error.response.headers)
        sentence = f"The model's server has a problem of its own (status {status})."
        return LaneError("server", sentence, retry=True, after_seconds=wait)
    if status == 404:
        return LaneError("request", "The endpoint does not know this model or address (status 404).")
    return LaneError("request", f"The endpoint did not accept the request (status {status}).")


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from `Retry-After`, which holds a number or a date; None if it says nothing usable."""
    value = headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
