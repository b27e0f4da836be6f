"""How a decider did: each kind of outcome with its interval, per intent and argument, with time, tokens and cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from db.evaluation.run_values import ScoredCase
from engine.domain import UNKNOWN
from evals.evaluate.verdicts import VERDICTS, Verdict
from evals.intervals import Rate, f1_rate, quantile, wilson
from evals.report import IntentFigures

OUTCOMES = ("call", "broken", "abstention", "none")


@dataclass(frozen=True, slots=True)
class ArgumentFigures:
    intent: str
    argument: str
    right: Rate
    """Where a case says something about it, and the call is for the right intent."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    label: str
    cases: int
    right: Rate
    verdicts: dict[Verdict, Rate]
    """Every kind of outcome as a share of all cases; they add up to 1."""
    outcomes: dict[str, Rate]
    """A call, a broken call, no call, or no answer at all, as shares of all cases."""
    reading: Rate
    """Whether the intent read is right, whatever was done about it."""
    unasked: Rate
    """Of the cases that ask for nothing: acted on without asking."""
    missed: Rate
    """Of the cases that ask for something: no request seen."""
    intents: tuple[IntentFigures, ...]
    """By what came of it."""
    intents_behind: tuple[IntentFigures, ...]
    """By the intent behind, also where it asked or refused."""
    arguments: tuple[ArgumentFigures, ...]
    median_ms: float | None
    p95_ms: float | None
    prompt_tokens: int | None
    answer_tokens: int | None
    cost: float | None
    unpriced: int
    """Cases that used tokens whose price is not known."""


def make_scoreboard(label: str, rows: Sequence[ScoredCase], intents: Sequence[str]) -> Scoreboard:
    """`intents`: of the domain, in its order."""
    total = len(rows)
    verdicts, outcomes = Counter(row.verdict for row in rows), Counter(row.outcome for row in rows)
    nothing = [row for row in rows if row.label == UNKNOWN]
    something = [row for row in rows if row.label != UNKNOWN]
    times = [row.milliseconds for row in rows if row.milliseconds > 0]
    return Scoreboard(
        label=label,
        cases=total,
        right=wilson(sum(row.passed for row in rows), total),
        verdicts={verdict: wilson(verdicts[verdict], total) for verdict in VERDICTS},
        outcomes={outcome: wilson(outcomes[outcome], total) for outcome in OUTCOMES},
        reading=wilson(sum(row.reading_right for row in rows), total),
        unasked=wilson(sum(row.action == "execute" for row in nothing), len(nothing)),
        missed=wilson(sum(row.verdict == "silent" for row in something), len(something)),
        intents=tuple(intent_figures([(row.label, row.final) for row in rows], intents)),
        intents_behind=tuple(intent_figures([(row.label, row.behind) for row in rows], intents)),
        arguments=tuple(_argument_figures(rows)),
        median_ms=quantile(times, 0.5) if times else None,
        p95_ms=quantile(times, 0.95) if times else None,
        prompt_tokens=_total(row.prompt_tokens for row in rows),
        answer_tokens=_total(row.answer_tokens for row in rows),
        cost=_total(row.cost for row in rows),
        unpriced=sum(row.prompt_tokens is not None and row.cost is None for row in rows),
    )


def intent_figures(pairs: Sequence[tuple[str, str]], intents: Sequence[str]) -> Iterable[IntentFigures]:
    """Precision, recall and F1 of each intent, from what was meant and what came."""
    return cell_figures(Counter(pairs), intents)


def cell_figures(cells: Mapping[tuple[str, str], int], intents: Sequence[str]) -> Iterable[IntentFigures]:
    """The same, from how often each pair of what was meant and what came occurs."""
    meant: Counter[str] = Counter()
    came: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    for (label, read), count in cells.items():
        meant[label] += count
        came[read] += count
        alike[label] += count * (label == read)
    for intent in intents:
        support, both = meant[intent], alike[intent]
        f1 = f1_rate(both, came[intent] - both, support - both)
        yield IntentFigures(intent, wilson(both, came[intent]), wilson(both, support), f1, support)


def _argument_figures(rows: Iterable[ScoredCase]) -> Iterable[ArgumentFigures]:
    found: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        for intent, name, right in row.arguments:
            found[intent, name].append(right)
    for (intent, name), rights in sorted(found.items()):
        yield ArgumentFigures(intent, name, wilson(sum(rights), len(rights)))


_Number = TypeVar("_Number", int, float)


def _total(values: Iterable[_Number | None]) -> _Number | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
