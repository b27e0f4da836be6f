"""The figures of a run, from its counts: the same values that Evaluate draws, and what only bulk runs have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from domains.loading import load_domain
from engine.domain import UNKNOWN
from evals.bulk.tally import BINS, MILLION
from evals.calibration import Bin
from evals.evaluate.confusion import Confusion, make_confusion
from evals.evaluate.paired import PairedDifference, difference_of_counts
from evals.evaluate.scoreboard import OUTCOMES, Scoreboard, cell_figures
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.slicing import SliceFigures
from evals.evaluate.verdicts import VERDICTS
from evals.intervals import Rate, wilson

Counts = Mapping[str, Any]


class RuleCount(NamedTuple):
    rule: str
    fits: int
    """Messages that it fits."""
    right: Rate
    """Of those with a label: how often the decision was right."""


class ChangedPart(NamedTuple):
    name: str
    value: str
    messages: int
    changed: int


class Pair(NamedTuple):
    before: str
    after: str
    messages: int


@dataclass(frozen=True)
class BulkFigures:
    whole: Counts
    domain: str
    names: tuple[str, ...]
    """Of the deciders: the first, and what it is held against."""

    @property
    def messages(self) -> int:
        return int(self.whole.get("messages", 0))

    @property
    def labelled(self) -> int:
        return int(self.whole.get("labelled", 0))

    @property
    def bad(self) -> int:
        return int(self.whole.get("bad", 0))

    @property
    def distinct(self) -> int:
        return int(self.whole.get("distinct", 0))

    @property
    def changed(self) -> int:
        return int(self._changes.get("messages", 0))

    @property
    def sorts(self) -> dict[str, int]:
        return dict(self._changes.get("sorts", {}))

    @property
    def changes_labelled(self) -> dict[str, int]:
        """fixed, broken, changed, unchanged: of the messages with a label."""
        return dict(self._changes.get("labelled", {}))

    @property
    def _changes(self) -> Counts:
        found: Counts = self.whole.get("changes", {})
        return found

    @property
    def intents(self) -> tuple[str, ...]:
        return load_domain(self.domain).catalogue.intents

    def side(self, place: int) -> Counts:
        found: Counts = self.whole.get("sides", {}).get(str(place), {})
        return found

    def shares(self, place: int, of: str) -> list[tuple[str, Rate]]:
        """Of `actions`, `intents`, `finals` or `reasons`, the most frequent first, as shares of all messages."""
        counted: dict[str, int] = self.side(place).get(of, {})
        return [
            (name, wilson(counted[name], self.messages)) for name in sorted(counted, key=lambda n: (-counted[n], n))
        ]

    def cells(self, place: int, *, behind: bool = False, wrong: bool = False) -> dict[tuple[str, str], int]:
        name = f"{'wrong_' if wrong else ''}cells{'_behind' if behind else ''}"
        rows: dict[str, dict[str, int]] = self.side(place).get(name, {})
        return {(label, came): count for label, line in rows.items() for came, count in line.items()}

    def confusion(self, place: int, *, behind: bool = False) -> Confusion:
        return make_confusion(self.cells(place, behind=behind), self.intents, behind=behind)

    def board(self, place: int) -> Scoreboard:
        """Without arguments, times and costs, which are not counted here."""
        side, total = self.side(place), self.labelled
        verdicts: dict[str, int] = side.get("verdicts", {})
        cells = self.cells(place)
        nothing = sum(count for (label, _), count in cells.items() if label == UNKNOWN)
        outcomes: dict[str, int] = side.get("outcomes", {})
        return Scoreboard(
            label=self.names[place],
            cases=total,
            right=wilson(verdicts.get("right", 0), total),
            verdicts={verdict: wilson(verdicts.get(verdict, 0), total) for verdict in VERDICTS},
            outcomes={outcome: wilson(outcomes.get(outcome, 0), self.messages) for outcome in OUTCOMES},
            reading=wilson(side.get("read_right", 0), total),
            unasked=wilson(side.get("unasked", 0), nothing),
            missed=wilson(verdicts.get("silent", 0), total - nothing),
            intents=tuple(cell_figures(cells, self.intents)),
            intents_behind=tuple(cell_figures(self.cells(place, behind=True), self.intents)),
            arguments=(),
            median_ms=None,
            p95_ms=None,
            prompt_tokens=None,
            answer_tokens=None,
            cost=None,
            unpriced=0,
        )

    def slices(self, place: int) -> tuple[SliceFigures, ...]:
        """Of the messages with a label; what all have in common is no slice."""
        found = []
        for name, values in self._parts(self.side(place)):
            for value in sorted(values, key=lambda each: (-values[each]["messages"], each)):
                verdicts: dict[str, int] = values[value].get("verdicts", {})
                total = sum(verdicts.values())
                if total and values[value]["messages"] < self.messages:
                    found.append(SliceFigures(name, value, wilson(verdicts.get("right", 0), total), verdicts))
        return tuple(found)

    def changed_parts(self) -> tuple[ChangedPart, ...]:
        """How many messages of each part are decided otherwise; in the order of the parts, the largest first."""
        changed = self._changes.get("slices", {})
        return tuple(
            ChangedPart(name, value, values[value]["messages"], changed.get(name, {}).get(value, 0))
            for name, values in self._parts(self.side(0))
            for value in sorted(values, key=lambda each: (-values[each]["messages"], each))
        )

    def _parts(self, side: Counts) -> list[tuple[str, dict[str, Any]]]:
        parts = side.get("slices", {})
        return [(name, parts[name]) for name in SLICE_WORDS if name in parts]

    def pairs(self) -> tuple[Pair, ...]:
        """What messages came to before and come to now, where that is another decision; the most frequent first."""
        rows: dict[str, dict[str, int]] = self._changes.get("pairs", {})
        found = [Pair(before, after, count) for before, line in rows.items() for after, count in line.items()]
        return tuple(sorted(found, key=lambda pair: (-pair.messages, pair.before, pair.after)))

    def difference(self) -> PairedDifference:
        """How much more often the first is right than what it is held against."""
        marks = self.changes_labelled
        return difference_of_counts(marks.get("broken", 0), marks.get("fixed", 0), self.labelled)

    def rules(self, place: int) -> tuple[RuleCount, ...]:
        """The most frequent first."""
        counted: dict[str, dict[str, int]] = self.side(place).get("rules", {})
        rows = [
            RuleCount(rule, each.get("fits", 0), wilson(each.get("right", 0), each.get("labelled", 0)))
            for rule, each in counted.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.fits, row.rule)))

    def confidence(self, place: int) -> list[int]:
        """Messages in each of the bins from 0 to 1; those without a confidence are in none."""
        counted: dict[str, int] = self.side(place).get("confidence", {})
        return [counted.get(f"{number:02d}", 0) for number in range(BINS)]

    def calibration(self, place: int) -> tuple[Bin, ...]:
        """Where an intent was read in a message with a label."""
        counted: dict[str, dict[str, int]] = self.side(place).get("calibration", {})
        return tuple(
            Bin(
                int(number) / BINS,
                (int(number) + 1) / BINS,
                each["count"],
                each.get("stated", 0) / MILLION / each["count"],
                wilson(each.get("right", 0), each["count"]),
            )
            for number, each in sorted(counted.items())
        )

    def calibration_error(self, place: int) -> float | None:
        bins = self.calibration(place)
        total = sum(each.count for each in bins)
        if not total:
            return None
        return sum(abs(each.confidence - (each.accuracy.value or 0.0)) * each.count for each in bins) / total
