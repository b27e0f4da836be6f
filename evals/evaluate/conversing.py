"""Whole conversations in a run: each turn is a case, scored by what became of the store, as in `evals.conversations`.

After a turn that failed the store is put in step, so that a miss does not drag later turns down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from db.evaluation.run_values import KeptCase, ScoredCase
from domains.loading import TASKS, load_domain
from engine.decision import Context
from engine.domain import UNKNOWN, Effect
from engine.targets.memory_index import MemoryIndex
from evals.answers import TimedDecision, write_answer
from evals.asking import Entrant
from evals.conversations.form import ExpectedOutcome, WrittenConversation
from evals.conversations.reading import FOLDER, load_conversations
from evals.conversations.running import PlayedTurn, run_conversations
from evals.conversations.scoring import Verdict as TurnVerdict
from evals.evaluate.data_sets import CONVERSATION, TURN, DataSet, make_key, number_doubles
from evals.evaluate.judging import NONE, find_final, sign
from evals.evaluate.slices import length_of
from evals.evaluate.verdicts import Verdict as CaseVerdict
from evals.evaluate.weighing import find_behind
from evals.scorers import outcome_of

SOURCE, BLIND = "conversations", "blind conversations"
_ANY_TIME = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - a wall clock
_EFFECTS: dict[str, Effect] = {"add": "add", "set": "change", "delete": "remove", "ask_delete": "remove"}
_VERDICTS: dict[TurnVerdict, CaseVerdict] = {
    "right": "right",
    "offered": "right",
    "unsafe": "acted_unasked",
    "wrong": "wrong_arguments",
    "missed": "silent",
    "asked": "asked_needlessly",
    "told": "wrong_tool",
    "nuisance": "asked_needlessly",
}


@dataclass(frozen=True, slots=True)
class Talk:
    conversation: WrittenConversation
    turns: tuple[KeptCase, ...]
    """Those of its turns that are in the set; all are played."""


def load_our_conversations() -> DataSet:
    """About tasks; each turn is a case."""
    return _make_set("Our conversations", FOLDER, SOURCE)


def load_blind_conversations() -> DataSet:
    """Those by writers who saw neither the code nor the cases: 2,600 turns, a few minutes for the engine."""
    return _make_set("Blind conversations", FOLDER / "blind", BLIND)


def _make_set(name: str, folder: Path, source: str) -> DataSet:
    kept = [
        _make_kept(conversation, place, source)
        for conversation in load_conversations([folder])
        for place in range(1, len(conversation.turns) + 1)
    ]
    return DataSet(name, number_doubles(kept))


def _make_kept(conversation: WrittenConversation, place: int, source: str) -> KeptCase:
    turn = conversation.turns[place - 1]
    written = conversation.model_dump(mode="json", by_alias=True, exclude_unset=True)
    body: dict[str, Any] = {CONVERSATION: written, TURN: place}
    slices = {
        "language": (conversation.lang,),
        "kind": (turn.kind,),
        "source": (source,),
        "length": (length_of(turn.say),),
        "place": ("first" if place == 1 else "follow-up",),
        "severity": ("normal",),
    }
    # What comes later in a conversation does not change what is right here.
    content = {**written, "turns": written["turns"][:place]}
    key = make_key({name: value for name, value in content.items() if name != "who"})
    return KeptCase(0, key, f"{conversation.id}/{place}", turn.say, label_of(turn.expect), "normal", slices, body)


def label_of(expected: ExpectedOutcome) -> str:
    """The intent that serves what is expected, by the effects of the domain's tools."""
    catalogue = load_domain(TASKS).catalogue
    intents: dict[Effect, str] = {facts.effect: facts.intent for facts in reversed(catalogue.tools)}
    if expected.show is not None:
        return min(catalogue.lists, default=UNKNOWN)
    if any(each.status == catalogue.states[1] for each in expected.set):
        return intents.get("finish", UNKNOWN)
    for name, effect in _EFFECTS.items():
        if getattr(expected, name):
            return intents.get(effect, UNKNOWN)
    return UNKNOWN


def group_conversations(cases: Iterable[KeptCase]) -> tuple[list[Talk], list[KeptCase]]:
    """The conversations, each with its turns in the set; and all other cases."""
    talks: dict[str, list[KeptCase]] = {}
    others: list[KeptCase] = []
    for case in cases:
        if CONVERSATION in case.body:
            talks.setdefault(case.body[CONVERSATION]["id"], []).append(case)
        else:
            others.append(case)
    read = WrittenConversation.model_validate
    found = [Talk(read(some[0].body[CONVERSATION]), tuple(some)) for some in talks.values()]
    return found, others


def play(talks: Sequence[Talk], entrant: Entrant) -> Iterator[list[ScoredCase]]:
    """The conversations one after the other; of each what is kept of its turns."""
    if entrant.driver is None:
        raise ValueError(f"{entrant.name} cannot hold conversations")
    conversations = [talk.conversation for talk in talks]
    for talk, result in zip(talks, run_conversations(conversations, entrant.driver, in_step=True), strict=True):
        played = {each.place: each for each in result.turns}
        yield [_write(case, played[case.body[TURN]]) for case in talk.turns]


def _write(case: KeptCase, played: PlayedTurn) -> ScoredCase:
    decision = played.answer.decision
    verdict = _VERDICTS[played.score.verdict] if decision else "no_answer"
    right = verdict == "right"
    behind = find_behind(decision) if decision else UNKNOWN
    outcome = outcome_of(decision) if decision else NONE
    detail: dict[str, Any] = {
        "problems": list(played.score.faults),
        "verdict": played.score.verdict,
        "reply": played.answer.reply,
        "pressed": played.pressed,
    }
    if decision:
        # Nothing here says how long it took: a turn is more than its decision.
        detail["answer"] = write_answer(TimedDecision(decision, 0.0), Context(MemoryIndex(), _ANY_TIME))
    return ScoredCase(
        position=case.position,
        key=case.key,
        verdict=verdict,
        passed=right,
        label=behind if right else case.label,
        final=find_final(decision, outcome),
        behind=behind,
        reading_right=right or behind == case.label,
        action=decision.action if decision else None,
        outcome=outcome,
        confidence=decision.confidence if decision else None,
        milliseconds=0.0,
        signature=sign(decision),
        detail=detail,
    )
