"""Figures of a run, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.play.answer import write_answer
from domains.loading import load_domain
from evals.conversations.form import KINDS, LANGUAGES
from evals.conversations.running import ConversationResult, PlayedTurn
from evals.conversations.scoring import RIGHT, Verdict
from evals.intervals import Rate, wilson


@dataclass(frozen=True, slots=True)
class TurnTally:
    name: str
    turns: int
    verdicts: dict[Verdict, int]
    conversations: Rate
    """Those whose every turn is right."""

    @property
    def right(self) -> Rate:
        return wilson(sum(self.verdicts.get(each, 0) for each in RIGHT), self.turns)

    @property
    def wrong(self) -> int:
        """The store was changed in another way than expected, also where that is unsafe."""
        return self.verdicts.get("wrong", 0) + self.verdicts.get("unsafe", 0)


@dataclass(frozen=True, slots=True)
class ConversationReport:
    mode: str
    total: TurnTally
    languages: tuple[TurnTally, ...]
    kinds: tuple[TurnTally, ...]


def report_conversations(results: Sequence[ConversationResult], mode: str, kind: str = "") -> ConversationReport:
    """`kind`: of all turns, only those."""

    def tally(name: str, chosen: Iterable[ConversationResult], fits: Callable[[PlayedTurn], bool]) -> TurnTally:
        found = [(each, [turn for turn in each.turns if fits(turn)]) for each in chosen]
        turns = [turn for _, some in found for turn in some]
        whole = [all(turn.score.right for turn in some) for _, some in found if some]
        verdicts = Counter(turn.score.verdict for turn in turns)
        return TurnTally(name, len(turns), dict(verdicts), wilson(sum(whole), len(whole)))

    def of_kind(turn: PlayedTurn) -> bool:
        return kind in ("", turn.turn.kind)

    spoken = {language: [each for each in results if each.conversation.lang == language] for language in LANGUAGES}
    languages = [tally(language, some, of_kind) for language, some in spoken.items()]
    kinds = [
        tally(each, results, lambda turn, each=each: turn.turn.kind == each)  # type: ignore[misc]
        for each in KINDS
        if kind in ("", each)
    ]
    return ConversationReport(
        mode,
        tally("all", results, of_kind),
        tuple(each for each in languages if each.turns),
        tuple(each for each in kinds if each.turns),
    )


def write_report(report: ConversationReport, results: Sequence[ConversationResult]) -> dict[str, Any]:
    """Everything as plain JSON, turn by turn."""
    return {
        "mode": report.mode,
        "total": _write_tally(report.total),
        "languages": [_write_tally(each) for each in report.languages],
        "kinds": [_write_tally(each) for each in report.kinds],
        "conversations": [
            {
                "id": each.conversation.id,
                "lang": each.conversation.lang,
                "right": each.right,
                "turns": [_write_turn(turn) for turn in each.turns],
            }
            for each in results
        ],
    }


def _write_tally(tally: TurnTally) -> dict[str, Any]:
    counts = {"turns": tally.turns, "right": tally.right.count, "wrong": tally.wrong}
    rest: dict[str, int] = {str(name): count for name, count in tally.verdicts.items() if name not in counts}
    whole = {"conversations": tally.conversations.total, "conversations_right": tally.conversations.count}
    return {"name": tally.name, **counts, **rest, **whole}


def _write_turn(result: PlayedTurn) -> dict[str, Any]:
    answer = write_answer(result.answer, load_domain().catalogue)
    answer.pop("tasks")
    return {
        "turn": result.place,
        "say": result.turn.say,
        "kind": result.turn.kind,
        "verdict": result.score.verdict,
        "faults": list(result.score.faults),
        "pressed": result.pressed,
        **answer,
    }
