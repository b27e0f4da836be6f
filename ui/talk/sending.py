"""A message on its way: through the lanes, and what is said where that fails."""

from __future__ import annotations

from collections.abc import Callable

from assistant import Assistant, Lanes, OpenTurn, TurnCutOffError, TurnInProgressError
from db.failures import ConnectionLostError, StoreUnavailableError, ToolFailure
from engine.outcome.routing import Driver
from ui.state.chat import read_driver
from ui.state.notices import put_notice
from ui.state.values import Notice
from ui.talk import live_turns

_BUSY = "The LLM is still deciding about your last message. Stop it, or wait for its answer."


def say(
    assistant: Assistant,
    find_conversation: Callable[[], str],
    text: str,
    find_lanes: Callable[[], Lanes],
    driver: Driver | None = None,
) -> bool:
    """The engine's part is done when this returns. True: the conversation is gone, or another's. `driver`: who acts;
    None: as chosen for the chats. Which conversation and which policies hold is asked of the store in here: where it is
    away, the message is told back like any other that could not be kept."""
    put_notice(None)

    def begin() -> OpenTurn:
        return assistant.begin_turn(find_conversation(), text, driver or read_driver(), find_lanes())

    try:
        try:
            turn = begin()
        except ConnectionLostError:  # the server restarted, and nothing was kept
            turn = begin()
    except StoreUnavailableError as error:
        put_notice(Notice("error", f"{error} Your message was: {text[:500]}"))
        return False
    except TurnCutOffError as error:
        put_notice(Notice("error", str(error)))
        return False
    except TurnInProgressError:
        put_notice(Notice("error", _BUSY))
        return False
    except ToolFailure as failure:
        put_notice(Notice("error", failure.message))
        return True
    if turn.lanes.llm:
        live_turns.start(assistant, turn)
    return False
