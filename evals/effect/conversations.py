"""Conversations as probes: each is played whole, on a store of its own, under the policy that is tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from assistant.play.answer import Answer
from domains.loading import TASKS
from engine.decision import Decider
from evals.conversations.form import WrittenConversation
from evals.conversations.reading import FOLDER, load_conversations
from evals.conversations.running import ConversationResult, run_conversations
from evals.effect.probes import Probe, ProbeResult

_PRESSED = ("yes", "no", "undo", "redo")
"""What buttons say beside what the conversation has."""


def probe_conversations(conversations: Iterable[WrittenConversation] | None = None) -> tuple[Probe, ...]:
    chosen = load_conversations(_every_folder()) if conversations is None else conversations
    return tuple(_probe(each) for each in chosen)


def _every_folder() -> list[Path]:
    return [FOLDER, *sorted(path for path in FOLDER.iterdir() if path.is_dir())]


def _probe(conversation: WrittenConversation) -> Probe:
    def run(decider: Decider) -> ProbeResult:
        (result,) = run_conversations((conversation,), in_step=True, engine=decider)
        return _result(result)

    return Probe(
        f"conversation:{conversation.id}",
        "conversations",
        conversation.turns[0].say,
        TASKS,
        conversation.lang,
        tuple(_strings(conversation)),
        run,
        link={"conversation": conversation.id},
    )


def _strings(conversation: WrittenConversation) -> Iterator[str]:
    yield from _PRESSED
    for turn in conversation.turns:
        yield turn.say
        # Where a turn failed, the store is made what was expected: those titles are there, then.
        for outcome in turn.expect.outcomes:
            for added in outcome.add:
                yield from (*added.title, added.description or "")
            for changed in outcome.set:
                yield from (*(changed.title or ()), changed.description or "")
    for task in conversation.tasks:
        yield from (task.title, task.description)


def _result(result: ConversationResult) -> ProbeResult:
    verdicts = tuple(turn.score.verdict for turn in result.turns)
    right = sum(turn.score.right for turn in result.turns)
    gist = tuple(_said(turn.answer) for turn in result.turns)
    wrong = next((turn for turn in result.turns if not turn.score.right), None)
    told = f"{right} of {len(result.turns)} turns right"
    if wrong:
        told += f"; turn {wrong.place} {wrong.score.verdict}: {'; '.join(wrong.score.faults)[:120]}"
    rights = tuple(turn.score.right for turn in result.turns)
    return ProbeResult((verdicts, gist), rights, told, "unsafe" in verdicts)


def _said(answer: Answer) -> tuple[str, ...]:
    decision = answer.decision
    changes = tuple(f"{change.op} {change.task['title']}" for change in answer.changes)
    return (*((decision.action, decision.intent) if decision else ()), *changes)
