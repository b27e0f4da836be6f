"""What an LLM may change by itself: what the user's own words ask for, by the engine's reading, and not without end."""

from __future__ import annotations

from assistant.turn_values import OpenTurn
from engine.catalogue.facts import Catalogue
from engine.decision import Decision, Reason
from engine.outcome.routing import VETOES, ask_first
from engine.values import ToolCall
from llm.calibration import is_calibrated, is_unsure

MOST_CHANGES = 4
"""Changes that one message may bring about before the user is asked, all rounds together."""


def hold_back(decision: Decision, turn: OpenTurn, changed_before: int = 0) -> Decision:
    """The LLM's decision; its changes as a question where the user's words do not ask for that kind of change, where
    they are many, or where a model that drives by itself is not sure of them. A task's title, or whoever answers as the
    model, could have told it to make them."""
    if decision.action != "execute" or decision.reason is Reason.ANSWERED:
        return decision
    if decision.act in _BACK:
        # There is no call that could be offered: it is done, or what the engine says stands.
        return turn.engine if turn.engine.reason in VETOES and turn.engine.act not in _BACK else decision
    catalogue = turn.policy.catalogue
    changes = [call for call in decision.calls if call.tool_name in catalogue.changing_tools]
    if not changes:
        return decision
    asked_for = _kinds(turn.engine, catalogue)
    many = changed_before + len(changes) > MOST_CHANGES
    if many or not all(catalogue.intent_of(call.tool_name) in asked_for for call in changes):
        return ask_first(decision, turn.policy, "unasked_change", turn.context)
    # Where both lanes drive, how sure the model is was weighed already.
    unsure = turn.driver in _ALONE and is_unsure(decision)
    if unsure or _is_guess(decision, changes, turn):
        return ask_first(decision, turn.policy, "doubted", turn.context)
    return decision


def _is_guess(decision: Decision, changes: list[ToolCall], turn: OpenTurn) -> bool:
    """Whether the embedded model alone wants a change in a domain that its confidence was not learned on: "kitchen
    fridge" said by itself turned the light on."""
    if turn.domain.conduct is None or not is_calibrated(decision):
        return False
    wanted = [(call.tool_name, call.parameters) for call in turn.engine.calls if turn.engine.action == "execute"]
    return not all((call.tool_name, call.parameters) in wanted for call in changes)


_BACK = ("undo", "redo")
_ALONE = ("llm", "llm_guarded")


def _kinds(engine: Decision, catalogue: Catalogue) -> set[str]:
    """What kinds of things the message asks for, as the engine reads it; also what it only asks back about."""
    if engine.reason in VETOES:
        return set()
    waiting = (engine.pending.call, *engine.pending.then) if engine.pending else ()
    return {engine.intent, *(catalogue.intent_of(call.tool_name) for call in (*engine.calls, *waiting))}
