"""The figures of a run, decider by decider, as lines come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from db.evaluation.comparisons import ComparedLine

_AGREE = ("agree", "both_silent")


@dataclass
class _Column:
    name: str
    lines: int = 0
    calls: int = 0
    broken: int = 0
    agree: int = 0
    compared: int = 0
    times: list[float] = field(default_factory=list)
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    cost: float | None = None
    judged: int = 0
    """Lines of which somebody said what they should come to."""
    right: int = 0
    unpriced: int = 0
    """Lines that used tokens whose price is not known."""

    def add(self, answer: Mapping[str, Any]) -> None:
        self.lines += 1
        self.calls += bool(answer.get("calls"))
        self.broken += bool(answer.get("broken"))
        self.times.append(answer["ms"])
        self.judged += "wrong" in answer
        self.right += answer.get("wrong") == []
        standing = answer.get("standing")
        self.compared += standing is not None
        self.agree += standing in _AGREE
        for name in ("prompt_tokens", "answer_tokens", "cost"):
            if answer.get(name) is not None:
                setattr(self, name, (getattr(self, name) or 0) + answer[name])
        self.unpriced += answer.get("prompt_tokens") is not None and answer.get("cost") is None

    def figures(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "lines": self.lines,
            "calls": self.calls,
            "broken": self.broken,
            "agree": self.agree,
            "compared": self.compared,
            "judged": self.judged,
            "right": self.right,
            "median_ms": round(median(self.times), 3) if self.times else None,
            "p95_ms": round(quantiles(self.times, n=20)[-1], 3) if len(self.times) > 1 else None,
            "prompt_tokens": self.prompt_tokens,
            "answer_tokens": self.answer_tokens,
            "cost": self.cost,
            "unpriced": self.unpriced,
        }


class Tally:
    def __init__(self, names: Sequence[str]) -> None:
        self._columns = [_Column(name) for name in names]

    def add(self, line: ComparedLine) -> None:
        for column, answer in zip(self._columns, line.answers, strict=True):
            column.add(answer)

    def figures(self) -> list[dict[str, Any]]:
        return [column.figures() for column in self._columns]
