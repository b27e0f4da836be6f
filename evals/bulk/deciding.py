"""One shard on one worker: its messages decided, scored and counted, and written as a Parquet file.

Messages that stand alone decide alike, so each is decided once in a shard, however often it is said there. The answers
that are kept for that are as many as a shard has rows, and no more.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from datetime import datetime
from typing import NamedTuple

from domains.loading import load_domain
from engine.border.plain import WireError
from engine.border.wire import read_context
from engine.decider import RuleDecider
from engine.decision import Context, Decider, Decision
from engine.domain import UNKNOWN, Domain
from engine.explaining.agreement import calls_of
from engine.targets.memory_index import MemoryIndex
from evals.bulk.columns import write_shard
from evals.bulk.files import Shard
from evals.bulk.job import Job, OpenedJob, PackedJob, open_job
from evals.bulk.marking import LabelMark, mark_answer
from evals.bulk.rows import BadLine, BulkMessage, read_messages
from evals.bulk.tally import ShardTally
from evals.bulk.values import BulkAnswer, DecidedMessage, find_parts
from evals.evaluate.judging import NONE, find_final
from evals.evaluate.own_files import read_row
from evals.evaluate.weighing import find_behind
from evals.otherwise import is_otherwise, sort_change
from evals.scorers import outcome_of, read_intent
from evals.situation import begin

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_RULES = ("frame:", "guard:", "way:")
"""Of the evidence what people call a rule; words, pairs and shapes are weights."""
_NOTHING = MemoryIndex(())
_FAILED = BulkAnswer(None, None, UNKNOWN, NONE, UNKNOWN, "", NONE, None, "", (), "", "")


class DecidedShard(NamedTuple):
    number: int
    content: bytes
    """The Parquet file, with the shard's counts in its metadata."""
    messages: int
    bad: int
    distinct: int
    span: int
    """Bytes of its file."""
    seconds: float
    """That the worker took for all of it."""
    deciding: float
    """… and that went into decisions alone."""
    processor: float
    """Seconds of a processor, which say more than the clock on a machine that others use."""
    peak_mb: int
    """The most memory that the worker's process had so far; 0 where that cannot be told."""


def decide_shard(packed: PackedJob, shard: Shard) -> DecidedShard:
    """Never raises for what stands in a line. BulkError: this worker cannot do what was asked for."""
    began, worked = time.perf_counter(), time.process_time()
    work = _ShardWork(open_job(packed), shard)
    work.run()
    content = write_shard(shard, work.rows, work.tally, both=len(work.opened.deciders) > 1)
    seconds = time.perf_counter() - began
    tally = work.tally
    return DecidedShard(
        shard.number, content, tally.messages, tally.bad, work.distinct, shard.span, seconds, work.deciding,
        time.process_time() - worked, peak_memory(),
    )  # fmt: skip


def peak_memory() -> int:
    """Megabytes."""
    if resource is None:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most // (1 << 20 if sys.platform == "darwin" else 1 << 10))


class _Decided(NamedTuple):
    answers: tuple[BulkAnswer, ...]
    sort: str | None


class _ShardWork:
    def __init__(self, opened: OpenedJob, shard: Shard) -> None:
        self.opened, self.shard = opened, shard
        self.domain: Domain = load_domain(opened.job.domain)
        self.now = datetime.fromisoformat(opened.job.now)
        self.tally = ShardTally(opened.job.names)
        self.rows: list[DecidedMessage] = []
        self.distinct = 0
        self.deciding = 0.0
        self._alone: dict[tuple[str, str | None, str | None], _Decided] = {}
        self._marks: dict[tuple[int, tuple[str, ...]], LabelMark] = {}

    def run(self) -> None:
        job = self.opened.job
        for found in read_messages(self.shard, self.domain, labels=job.labels):
            try:
                row = found if isinstance(found, BadLine) else self._take(found)
            except (WireError, ValueError, KeyError) as error:
                said = error.args[0] if isinstance(error, KeyError) else error
                row = BadLine(found.line, str(said))
            if isinstance(row, BadLine):
                self.tally.add_bad(self.shard.file, row)
            else:
                self.tally.add(row)
                self.rows.append(row)
        self.tally.distinct = self.distinct

    def _take(self, message: BulkMessage) -> DecidedMessage:
        if message.detailed is not None:
            case = read_row(message.line, message.detailed, self.shard.file, self.domain.name)
            situation = begin(case)
            decided = self._decide(message.text, situation.context)
            marks = tuple(mark_answer(each, case.turns[0].intent, (case, situation)) for each in decided.answers)
            return self._finish(message, decided, marks)
        if message.context is None:
            key = (message.text, message.language, message.now)
            if key not in self._alone:
                self._alone[key] = self._decide(message.text, self._plain_context(message))
            decided = self._alone[key]
        else:
            decided = self._decide(message.text, self._context(message))
        marks = tuple(self._mark(each, message.accepted) for each in decided.answers) if message.accepted else ()
        return self._finish(message, decided, marks)

    def _mark(self, answer: BulkAnswer, accepted: tuple[str, ...]) -> LabelMark:
        """Once for each answer and label: what is said often is mostly labelled alike."""
        key = (id(answer), accepted)  # the answer is kept to the end of the shard, so its identity is
        if key not in self._marks:
            self._marks[key] = mark_answer(answer, accepted)
        return self._marks[key]

    def _finish(self, message: BulkMessage, decided: _Decided, marks: tuple[LabelMark, ...]) -> DecidedMessage:
        draw = draw_number(self.opened.job, self.shard, message)
        parts = find_parts(message, decided.answers[0].language)
        return DecidedMessage(message, decided.answers, marks, decided.sort, draw, parts)

    def _plain_context(self, message: BulkMessage) -> Context:
        if message.now is not None or self.domain.conduct:
            return self._context(message)
        return Context(_NOTHING, self.now, language=message.language)

    def _context(self, message: BulkMessage) -> Context:
        said = {"lang": message.language, "now": message.now, **(message.context or {})}
        return read_context(said, self.now, self.domain)

    def _decide(self, text: str, context: Context) -> _Decided:
        self.distinct += 1
        answers = self._ask_all(text, context)
        first = answers[0].decision
        other = answers[-1].decision if len(answers) > 1 else None
        # The second is what the first is held against: "before" is the second.
        sort = sort_change(other, first) if first and other and is_otherwise(other, first) else None
        if len(answers) > 1 and (first is None) != (other is None):
            sort = "another_answer"
        return _Decided(answers, sort)

    def _ask_all(self, text: str, context: Context) -> tuple[BulkAnswer, ...]:
        """Two under the very same policy for this message decide alike: a draft is mostly of one language."""
        first, *others = self.opened.deciders
        answers = [self._answer(first, text, context)]
        for other in others:
            same = _is_same(first, other, text, context)
            answers.append(answers[0] if same else self._answer(other, text, context))
        return tuple(answers)

    def _answer(self, decider: Decider, text: str, context: Context) -> BulkAnswer:
        began = time.perf_counter()
        try:
            decision = decider.decide(text, context)
        except Exception as error:  # a bug of a decider costs its message, not the run
            return _FAILED._replace(problem=f"{type(error).__name__}: {error}")
        finally:
            self.deciding += time.perf_counter() - began
        return make_answer(decision)


def _is_same(first: Decider, other: Decider, text: str, context: Context) -> bool:
    if not isinstance(first, RuleDecider) or not isinstance(other, RuleDecider):
        return False
    return first.policy_of(text, context).version == other.policy_of(text, context).version


def make_answer(decision: Decision) -> BulkAnswer:
    outcome = outcome_of(decision)
    calls = [{"tool_name": call.tool_name, "parameters": call.parameters} for call in calls_of(decision)]
    return BulkAnswer(
        decision=decision,
        action=decision.action,
        intent=read_intent(decision),
        final=find_final(decision, outcome),
        behind=find_behind(decision),
        reason=str(decision.reason),
        outcome=outcome,
        confidence=decision.confidence,
        calls=json.dumps(calls, ensure_ascii=False, default=str) if calls else "",
        rules=_rules_of(decision),
        language=decision.language,
        problem="",
    )


def _rules_of(decision: Decision) -> tuple[str, ...]:
    """The rules that fit, of whatever intent; each once."""
    named = (each.rule for score in decision.scores for each in score.evidence if each.rule.startswith(_RULES))
    return tuple(dict.fromkeys(named))


def draw_number(job: Job, shard: Shard, message: BulkMessage) -> int:
    """Whoever draws a sample takes the lowest: the same ones whatever the order, for the seed and the place decide."""
    named = f"{job.seed}\0{shard.file}\0{message.line}"
    return int.from_bytes(hashlib.blake2b(named.encode(), digest_size=7).digest(), "big")
