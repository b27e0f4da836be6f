"""A case of a run as something to inspect: its message, and the context in which it is said."""

from __future__ import annotations

from typing import Any

from db.evaluation.run_values import KeptCase, ScoredCase
from domains.deciders import make_decider
from domains.loading import TASKS, load_domain
from engine.border.json_form import to_json
from engine.border.wire import write_context
from evals.case import Case
from evals.evaluate.data_sets import CONVERSATION, TURN, case_of
from evals.situation import Situation, begin, go_on


def context_of(case: KeptCase, scored: ScoredCase | None = None) -> tuple[str, dict[str, Any]]:
    """The text and, in the form of `engine.border.wire`, its context: of the message that decided the case.

    What was said and done before it in the case is what the engine makes of it. Of a turn of a conversation only what
    was there at its start is known.
    """
    if CONVERSATION in case.body:
        written = case.body[CONVERSATION]
        text = str(written["turns"][int(case.body[TURN]) - 1]["say"])
        return text, {"tasks": written.get("tasks") or [], "now": written["now"], "lang": written["lang"]}
    found = case_of(case)
    number = int(scored.detail.get("turn", 1)) if scored else 1
    situation = _go_to(found, number)
    return found.turns[number - 1].text, _write(found, situation)


def _go_to(case: Case, number: int) -> Situation:
    situation = begin(case)
    engine = make_decider(load_domain(case.domain))
    for turn in case.turns[: number - 1]:
        situation = go_on(situation, turn.text, engine.decide(turn.text, situation.context))
    return situation


class _CaseIndex:
    """What is in reach, as a line has it."""

    def __init__(self, case: Case, situation: Situation) -> None:
        self._case, self._situation = case, situation

    def record(self) -> dict[str, Any]:
        if load_domain(self._case.domain).conduct:
            return dict(self._case.reach)
        lookups = {"lookups": dict(self._case.lookups)} if self._case.lookups else {}
        return {"tasks": [to_json(task) for task in self._situation.tasks], **lookups}


def _write(case: Case, situation: Situation) -> dict[str, Any]:
    about = {} if case.domain == TASKS else {"domain": case.domain}
    return {**write_context(situation.context, _CaseIndex(case, situation)), **about}
