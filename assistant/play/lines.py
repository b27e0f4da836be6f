"""One JSON object a line in, one out. A line that cannot be read costs only its own answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import Any, TextIO

from pydantic import Field, ValidationError, model_validator

from assistant.play.answer import write_answer
from assistant.play.player import Player, PlayError
from assistant.play.start import Start, Strict
from assistant.turn_values import TurnCutOffError
from db.failures import StoreUnavailableError, ToolFailure

_log = logging.getLogger(__name__)


class HandMade(Strict):
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class PlayedLine(Strict):
    """Exactly one of these."""

    start: Start | None = None
    say: str | None = None
    press: str | None = None
    undo: bool | None = None
    do: HandMade | None = None

    @model_validator(mode="after")
    def _one(self) -> PlayedLine:
        if len(self.model_fields_set) != 1 or getattr(self, *self.model_fields_set) in (None, False):
            raise ValueError("a line has exactly one of start, say, press, undo, do")
        return self


def play_lines(player: Player, lines: Iterable[str], out: TextIO) -> None:
    for line in lines:
        if line.strip():
            out.write(json.dumps(play_line(player, line), ensure_ascii=False) + "\n")
            out.flush()  # whoever asks may wait for the answer before the next line


def play_line(player: Player, line: str) -> dict[str, Any]:
    try:
        written = _carry_out(player, PlayedLine.model_validate(json.loads(line)))
    except (json.JSONDecodeError, RecursionError) as error:
        written = {"error": f"not valid JSON: {error}"}
    except ValidationError as error:
        written = {"error": "; ".join(describe_errors(error))}
    except (PlayError, StoreUnavailableError, TurnCutOffError) as error:
        written = {"error": str(error)}
    except ToolFailure as failure:
        written = {"error": failure.message}
    except Exception as error:  # a bug costs its line, not the rest of the conversation
        _log.exception("A line of a conversation failed")
        written = {"error": f"something went wrong on our side: {type(error).__name__}: {error}"}
    return {**({"id": player.id} if player.id is not None else {}), **written}


def _carry_out(player: Player, line: PlayedLine) -> dict[str, Any]:
    if line.start:
        return {"tasks": list(player.start(line.start).values())}
    if line.say is not None:
        answer = player.say(line.say)
    elif line.press is not None:
        answer = player.press(line.press)
    elif line.do:
        answer = player.do(line.do.name, line.do.arguments)
    else:
        answer = player.undo()
    return write_answer(answer, player.domain.catalogue)


def describe_errors(error: ValidationError) -> list[str]:
    """Where, and what is wrong."""
    places = [".".join(map(str, each["loc"])) for each in error.errors()]
    return [f"{place}: {each['msg']}".removeprefix(": ") for place, each in zip(places, error.errors(), strict=True)]
