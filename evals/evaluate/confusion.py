"""What was meant against what came of it, as a matrix whose cells are filters of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.evaluation.run_values import ResultFilter
from evals.evaluate.judging import ASKS, BROKEN, NONE


@dataclass(frozen=True, slots=True)
class Confusion:
    rows: tuple[str, ...]
    """What was meant, in the order of the domain."""
    columns: tuple[str, ...]
    """What came of it: the intents, and where they occur `asks`, `broken` and `none`."""
    counts: tuple[tuple[int, ...], ...]
    behind: bool
    """Whether the columns are the intents behind questions and refusals, rather than the final decisions."""

    def share(self, row: int, column: int) -> float:
        """Of the cases that meant this row."""
        total = sum(self.counts[row])
        return self.counts[row][column] / total if total else 0.0

    def cell_filter(self, row: int, column: int, decider: int = 0) -> ResultFilter:
        """The cases behind a cell."""
        label, came = self.rows[row], self.columns[column]
        if self.behind:
            return ResultFilter(decider=decider, label=label, behind=came)
        return ResultFilter(decider=decider, label=label, final=came)


def make_confusion(cells: Mapping[tuple[str, str], int], intents: Sequence[str], *, behind: bool = False) -> Confusion:
    """`cells`: of `db.evaluation.results.count_cells`."""
    came = {column for _, column in cells}
    meant = {row for row, _ in cells}
    extra = [name for name in (ASKS, BROKEN, NONE) if name in came and name not in intents]
    others = sorted((came | meant) - set(intents) - set(extra))
    rows = (*intents, *(name for name in others if name in meant))
    columns = (*intents, *extra, *(name for name in others if name in came))
    counts = tuple(tuple(cells.get((row, column), 0) for column in columns) for row in rows)
    return Confusion(rows, columns, counts, behind)
