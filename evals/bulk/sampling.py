"""The LLM lane in a bulk run: a seeded sample of the messages, within limits of calls, tokens and money.

Which messages are drawn depends on the seed and on where they stand, not on the order in which shards were done. Every
answer is kept as it comes; who goes on asks only what has no answer yet, and what was spent before counts.
"""

from __future__ import annotations

import heapq
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow.parquet as pq

from domains.loading import load_domain
from engine.border.wire import read_context
from engine.decision import Context, Reason
from engine.explaining.agreement import standing_of
from evals.answers import TimedDecision
from evals.asking import CostOf, Entrant, ask
from evals.bulk.deciding import make_answer
from evals.bulk.files import BulkError
from evals.bulk.folder import LLM, RunFolder
from evals.bulk.job import Job, open_job
from evals.bulk.marking import mark_answer
from evals.evaluate.deciders import make_entrant
from evals.evaluate.specs import DeciderSpec
from evals.intervals import mcnemar_exact
from llm.patience import Cancel
from llm.prices import cost_of, load_prices
from llm.trace import LLMTrace
from settings import prices_path

_COLUMNS = ["row", "id", "text", "context", "accepted", "draw"]
_NO_LIMIT = 0
Record = dict[str, Any]


@dataclass(frozen=True)
class LLMLimits:
    sample: int
    calls: int = _NO_LIMIT
    tokens: int = _NO_LIMIT
    dollars: float = _NO_LIMIT
    rate: float = 60.0
    """Calls a minute."""


@dataclass
class _Spent:
    """Over all runs of the folder."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0
    unpriced: bool = False
    uncounted: bool = False
    answered: int = 0

    def add(self, record: Record) -> None:
        self.calls += 1
        known = record.get("prompt_tokens") is not None
        self.tokens += (record.get("prompt_tokens") or 0) + (record.get("answer_tokens") or 0)
        self.dollars += record.get("cost") or 0.0
        if not record.get("failed"):
            self.answered += 1
            self.uncounted |= not known
            self.unpriced |= record.get("cost") is None

    def reached(self, limits: LLMLimits, under_way: int) -> str:
        """Why no further call is made, in a few words; empty: one may be. What is under way has no tokens yet."""
        if limits.calls and self.calls + under_way >= limits.calls:
            return f"the limit of {limits.calls:,} calls"
        if limits.tokens and (self.uncounted or self.tokens >= limits.tokens):
            return (
                "tokens that the endpoint does not tell" if self.uncounted else f"the limit of {limits.tokens:,} tokens"
            )
        if limits.dollars and (self.unpriced or self.dollars >= limits.dollars):
            return "a price that is not known" if self.unpriced else f"the limit of {limits.dollars:g} dollars"
        return ""


class Pace:
    """At most so many a minute, evenly."""

    def __init__(self, a_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._step = 60.0 / a_minute if a_minute > 0 else 0.0
        self._clock, self._next = clock, clock()

    def due(self) -> float:
        """Seconds until the next may begin; asking for 0 takes its place."""
        now = self._clock()
        if now < self._next:
            return self._next - now
        self._next = max(self._next, now) + self._step
        return 0.0


def check_entrant(domain: str) -> Entrant:
    """The model that the settings name. DeciderError where there is none, so that it is told before hours of work."""
    return make_entrant(DeciderSpec("llm", "LLM"), domain)


def run_sample(
    folder: RunFolder,
    job: Job,
    limits: LLMLimits,
    tell: Callable[[str], None],
    *,
    entrant: Entrant | None = None,
    price: CostOf | None = None,
) -> dict[str, Any]:
    """Ask what is left to ask, and the figures of all answers."""
    entrant = entrant or check_entrant(job.domain)
    work = _Sampling(folder, job, limits, entrant, price or _make_price())
    work.run(tell)
    return work.figures()


def _make_price() -> CostOf:
    prices = load_prices(prices_path())

    def price(trace: LLMTrace) -> float | None:
        return cost_of(trace, prices)

    return price


def draw_sample(folder: RunFolder, count: int) -> list[Record]:
    """The messages with the lowest numbers, in their order. Shard by shard, so that only the sample is in memory."""
    drawn: list[tuple[int, int, int]] = []
    for path in folder.shard_paths():
        table = pq.read_table(path, columns=["draw", "row"])
        here = zip(table["draw"].to_pylist(), table["row"].to_pylist(), strict=True)
        drawn = heapq.nsmallest(count, [*drawn, *((draw, int(path.stem), row) for draw, row in here)])
    wanted: dict[int, list[int]] = {}
    for _, shard, row in drawn:
        wanted.setdefault(shard, []).append(row)
    found = [
        {"shard": shard, **record}
        for shard, rows in wanted.items()
        for record in pq.read_table(folder.shard_path(shard), columns=_COLUMNS).take(rows).to_pylist()
    ]
    return sorted(found, key=lambda record: (record["draw"], record["shard"], record["row"]))


@dataclass
class _Sampling:
    folder: RunFolder
    job: Job
    limits: LLMLimits
    entrant: Entrant
    price: CostOf
    spent: _Spent = field(default_factory=_Spent)
    kept: dict[tuple[int, int], Record] = field(default_factory=dict)
    stopped: str = ""
    drawn: int = 0

    def __post_init__(self) -> None:
        for record in self._read_kept():
            self.spent.add(record)
            self.kept[record["shard"], record["row"]] = record

    def _read_kept(self) -> Iterator[Record]:
        path = self.folder.path / LLM
        for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else ():
            try:
                yield json.loads(line)
            except json.JSONDecodeError:  # the end of what was being written when it was killed
                continue

    def run(self, tell: Callable[[str], None]) -> None:
        open_job(self.folder.packed_job())  # once, before several threads ask for it
        sample = draw_sample(self.folder, self.limits.sample)
        self.drawn = len(sample)
        todo = iter([each for each in sample if self._is_left(each)])
        pace, nobody = Pace(self.limits.rate), threading.Event()
        under_way: set[Future[Record]] = set()
        path = self.folder.path / LLM
        with ThreadPoolExecutor(self.entrant.at_once) as pool, path.open("a", encoding="utf-8") as out:
            if out.tell():
                out.write("\n")  # behind half a line, if there is one
            message = next(todo, None)
            while message is not None or under_way:
                self.stopped = self.spent.reached(self.limits, len(under_way))
                if message is not None and not self.stopped and len(under_way) < self.entrant.at_once:
                    due = pace.due()
                    if not due:
                        under_way.add(pool.submit(self._ask, message))
                        message = next(todo, None)
                    elif not under_way:
                        nobody.wait(due)
                    else:
                        under_way -= self._take(wait(under_way, due, FIRST_COMPLETED).done, out, tell)
                elif under_way:
                    under_way -= self._take(wait(under_way, None, FIRST_COMPLETED).done, out, tell)
                else:
                    return

    def _is_left(self, message: Record) -> bool:
        known = self.kept.get((message["shard"], message["row"]))
        return known is None or bool(known.get("failed"))

    def _take(self, done: set[Future[Record]], out: Any, tell: Callable[[str], None]) -> set[Future[Record]]:
        for future in done:
            record = future.result()
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            out.flush()
            self.spent.add(record)
            self.kept[record["shard"], record["row"]] = record
        tell(f"LLM: {self.spent.answered:,} of {self.drawn:,} answered, {self.spent.tokens:,} tokens")
        return done

    def _ask(self, message: Record) -> Record:
        context = read_stored_context(message["context"], self.job)
        engine = open_job(self.folder.packed_job()).deciders[0].decide(message["text"], context)
        timed = self._answer(message["text"], context)
        record: Record = {name: message[name] for name in ("shard", "row", "id", "text")}
        record |= {name: getattr(timed, name) for name in ("prompt_tokens", "answer_tokens", "cost", "problem")}
        record["ms"] = round(timed.milliseconds)
        if timed.decision is None or timed.decision.reason is Reason.UNAVAILABLE:
            return {**record, "failed": True}
        answer, own = make_answer(timed.decision), make_answer(engine)
        record |= {"action": answer.action, "intent": answer.intent, "final": answer.final, "calls": answer.calls}
        record["standing"] = standing_of(engine, timed.decision)
        if message["accepted"]:
            accepted = tuple(message["accepted"])
            record |= {"right": mark_answer(answer, accepted).right, "engine_right": mark_answer(own, accepted).right}
        return record

    def _answer(self, text: str, context: Context) -> TimedDecision:
        try:
            return ask(self.entrant, text, context, Cancel(), self.price)
        except Exception as error:  # a bug of the lane costs its message, not the sample
            return TimedDecision(None, 0.0, problem=f"{type(error).__name__}: {error}")

    def figures(self) -> dict[str, Any]:
        answered = [record for record in self.kept.values() if not record.get("failed")]
        tiles = Counter(_tile(record) for record in answered if "right" in record)
        return {
            "drawn": self.drawn,
            "answered": len(answered),
            "failed": len(self.kept) - len(answered),
            "calls": self.spent.calls,
            "tokens": self.spent.tokens,
            "dollars": None if self.spent.unpriced else round(self.spent.dollars, 6),
            "standings": dict(sorted(Counter(record["standing"] for record in answered).items())),
            "tiles": dict(sorted(tiles.items())),
            "p": mcnemar_exact(tiles["engine"], tiles["llm"]) if tiles else None,
            "stopped": self.stopped,
        }


def _tile(record: Mapping[str, Any]) -> str:
    both: Sequence[bool] = (record["engine_right"], record["right"])
    return "both" if all(both) else "neither" if not any(both) else "engine" if both[0] else "llm"


def read_stored_context(written: str | None, job: Job) -> Context:
    said = json.loads(written) if written else {}
    if not isinstance(said, dict):
        raise BulkError("a shard's context is no object")
    return read_context(said, datetime.fromisoformat(job.now), load_domain(job.domain))
