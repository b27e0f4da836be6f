"""One request over the SDK, streamed into an Answer. Every way in which it can fail becomes a LaneError."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from llm.border.chunks import CallPart, Chunk, read_chunk
from llm.border.client import too_long
from llm.border.whole_text import Whole, whole
from llm.raw_text import WordsOnly, stream_text, with_calls
from llm.trace import LaneError, ModelAnswer, RawCall

if TYPE_CHECKING:
    import openai

OnText = Callable[[str], None]
_ANSWER_LIMIT = 50_000
"""Characters. No sound answer comes near it; an endpoint gone wild is cut short."""
_SHOWN_REASON = 40
_log = logging.getLogger(__name__)


async def exchange(
    client: openai.AsyncOpenAI, request: Mapping[str, Any], on_text: OnText | None = None, *, raw: bool = False
) -> ModelAnswer:
    """Send the request and gather the stream. Raises LaneError, and nothing else but cancellation
    and what `on_text` itself raises. `raw`: as text, whose calls are found here (`llm.raw_text`)."""
    import openai  # late, as where the client is made

    gathered = _Gathered(WordsOnly(on_text) if raw and on_text else on_text)
    try:
        async with aclosing(stream_text(client, request) if raw else _stream_chat(client, request)) as events:
            async for data in events:
                gathered.add(read_chunk(data))
        gathered.end_text()
    except _ListenerError as error:
        raise error.__cause__ or error from None
    except LaneError:
        raise
    except openai.APIError as error:
        raise _explain(error, gathered.begun) from error
    except (UnicodeError, ValueError, RecursionError) as error:
        raise LaneError("unreadable", "The model's answer could not be read: it is not valid text.") from error
    except Exception as error:  # whatever an endpoint makes the SDK do, it ends this turn and nothing else
        _log.exception("An answer could not be read")
        raise LaneError("unreadable", "The model's answer could not be read: it has another form.") from error
    if not gathered.ended:
        raise LaneError("cut_off", "The model's answer broke off in the middle.", retry=not gathered.begun)
    return with_calls(gathered.answer()) if raw else gathered.answer()


async def _stream_chat(client: openai.AsyncOpenAI, request: Mapping[str, Any]) -> AsyncGenerator[object]:
    import openai  # late, as where the client is made

    body = {**request, "stream": True, "stream_options": {"include_usage": True}}
    # Not `chat.completions.create`: the SDK would build its values from whatever came, unchecked.
    stream = await client.post(
        "/chat/completions", cast_to=object, body=body, stream=True, stream_cls=openai.AsyncStream[object]
    )
    async with stream:
        async for data in stream:
            yield data


class _ListenerError(Exception):
    """The caller's own callback failed: not the endpoint's fault, and not to be mistaken for it."""


class _Gathered:
    """The fragments of an answer, put together."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self._started = time.monotonic()
        self._texts: list[str] = []
        self._whole = Whole()
        self._calls: dict[int, tuple[list[str], list[str]]] = {}
        self._log_probabilities: list[float] | None = []
        self._size = 0
        self._answer = ModelAnswer()
        self.begun = self.ended = False

    def add(self, chunk: Chunk) -> None:
        if chunk.usage.model_fields_set:
            self._answer = replace(
                self._answer,
                prompt_tokens=chunk.usage.prompt_tokens,
                answer_tokens=chunk.usage.completion_tokens,
            )
        for choice in chunk.choices[:1]:
            if choice.finish_reason:
                reason = whole(choice.finish_reason[:_SHOWN_REASON])
                self._answer, self.ended = replace(self._answer, finish_reason=reason), True
            if choice.logprobs is None:
                self._log_probabilities = None
            elif self._log_probabilities is not None:
                self._log_probabilities += choice.logprobs
            self._add_text(choice.delta.content or "")
            for part in choice.delta.tool_calls:
                self._add_part(part)

    def _add_text(self, fragment: str) -> None:
        if fragment:
            self._grow(fragment)
            self._tell(self._whole.add(fragment))

    def _tell(self, text: str) -> None:
        if not text:
            return
        self._texts.append(text)
        if self._on_text:
            try:
                self._on_text(text)
            except Exception as error:
                raise _ListenerError from error

    def _add_part(self, part: CallPart) -> None:
        if part.function is None:
            return
        name, arguments = part.function.name or "", part.function.arguments or ""
        self._grow(name + arguments)
        place = self._place_of(part)
        names, texts = self._calls.setdefault(place, ([], []))
        names.append(name)
        texts.append(arguments)

    def _place_of(self, part: CallPart) -> int:
        """Some endpoints leave the index out: then a name begins the next call, and anything else goes on with it."""
        if part.index is not None:
            return part.index
        last = max(self._calls, default=-1)
        return last + 1 if part.function and part.function.name else max(last, 0)

    def _grow(self, text: str) -> None:
        if not self.begun:
            self.begun = True
            self._answer = replace(self._answer, first_token_ms=(time.monotonic() - self._started) * 1000)
        self._size += len(text)
        if self._size > _ANSWER_LIMIT:
            raise too_long()

    def end_text(self) -> None:
        self._tell(self._whole.add("", last=True))

    def answer(self) -> ModelAnswer:
        calls = tuple(
            RawCall(whole("".join(names)), whole("".join(texts))) for _, (names, texts) in sorted(self._calls.items())
        )
        return replace(
            self._answer,
            text="".join(self._texts),
            calls=calls,
            log_probabilities=tuple(self._log_probabilities or ()),
        )


def _explain(error: openai.APIError, begun: bool) -> LaneError:
    import openai  # late, as where the client is made

    if isinstance(error, openai.APITimeoutError):
        return LaneError("timeout", "The model did not answer in time.")
    if isinstance(error, openai.APIConnectionError):
        if isinstance(error.__cause__, LaneError):
            return error.__cause__
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
