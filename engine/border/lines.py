"""JSON Lines in, JSON Lines out: whatever stands in a line costs only its own answer."""

from __future__ import annotations

import gc
import json
import logging
import math
from collections.abc import Callable
from datetime import datetime
from typing import Any, NoReturn, TextIO

from engine.border.plain import WireError

AnswerLine = Callable[[Any, datetime], dict[str, object]]
"""From the object of one line, and the time where it states none, to what is written for it."""
LENIENT = "surrogateescape"
"""How the streams are opened: bytes that are no UTF-8 come as half characters, which their line is told for."""
_log = logging.getLogger(__name__)
_HALF = "a text holds half a character (a lone surrogate, or bytes that are no UTF-8)"


def answer_lines(answer: AnswerLine, lines: TextIO, out: TextIO) -> None:
    """One line in, one line out."""
    # The people at the keyboard mean their own clock, so the local time is the right "now".
    started = datetime.now()  # noqa: DTZ005
    for line in lines:
        if line.strip():
            out.write(answer_line(answer, line, started) + "\n")
            gc.enable()  # all that stays has been loaded by now


def answer_line(answer: AnswerLine, line: str, default_now: datetime) -> str:
    """What is written for the line: strict JSON in UTF-8."""
    identity: dict[str, object] = {}
    try:
        data = read_line(line)
        if isinstance(data, dict) and "id" in data:
            identity["id"] = data["id"]
        return _write({"id": identity.get("id"), **answer(data, default_now)})
    except WireError as error:
        problem = str(error)
    except RecursionError:
        problem = "nested too deeply"
    except UnicodeError:
        problem = _HALF
    except Exception as error:  # a bug, or a line that nobody thought of: the others still count
        _log.warning("a line could not be answered", exc_info=True)
        problem = f"this line could not be answered ({type(error).__name__})"
    return _write_error(identity, problem)


def read_line(line: str) -> Any:
    """The value of one line, of whole characters and numbers that JSON has."""
    try:
        line.encode()
        data = json.loads(line, parse_float=_read_number, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise WireError(f"not valid JSON: {error}") from None
    except UnicodeError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise WireError(f"not valid JSON: {str(error).partition(';')[0]}") from None
    if "\\ud" in line.lower():  # only an escape can still bring half a character
        json.dumps(data, ensure_ascii=False).encode()
    return data


def _read_number(written: str) -> float:
    number = float(written)
    return number if math.isfinite(number) else _refuse(written)


def _refuse(constant: str) -> NoReturn:
    raise WireError(f"not valid JSON: {constant} is no number")


def _write(answer: dict[str, object]) -> str:
    written = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    written.encode()
    return written


def _write_error(identity: dict[str, object], problem: str) -> str:
    whole = problem.encode("utf-8", "replace").decode()
    try:
        return _write({**identity, "error": whole})
    except (ValueError, RecursionError):
        return _write({"error": whole})  # the id is part of what is wrong
