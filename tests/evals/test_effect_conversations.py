"""Conversations that an edit can touch: decided again message by message, and played only where that says something."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from benchmarks.policy_effect import common_edits, find_lost, random_edits, try_edits
from domains.drafts import PolicyDraft, begin_draft
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Decider
from engine.editing.edits import AddGuard, AddPhrase, SetThreshold, WriteFile
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EffectBase
from evals.effect.probes import Probe, ProbeResult
from tests.rounds import rounds

CONVERSATIONS = rounds(2, 12)
EDITS = rounds(2, 18)


@cache
def begun(language: str) -> PolicyDraft:
    return begin_draft("tasks", language)


@cache
def base(language: str) -> EffectBase:
    """On the third conversation of a few batches, which some of the edits change in both languages. To read all of them
    takes seconds."""
    batches = sorted((FOLDER / "blind").glob("batch_*.yaml"))
    some = batches[:: len(batches) // CONVERSATIONS][:CONVERSATIONS]
    chosen = [[each for each in load_conversations([path]) if each.lang == language][2] for path in some]
    return EffectBase(probe_conversations(chosen), begun(language).policy, "tasks")


def counted(probe: Probe, played: list[str]) -> Probe:
    def run(decider: Decider) -> ProbeResult:
        played.append(probe.id)
        return probe.run(decider)

    return replace(probe, run=run)


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_conversation_that_an_edit_touches_is_left_out(language: str) -> None:
    found = base(language)
    texts = [text for probe in found.index.probes for text in probe.strings if " " in text]
    edits = random_edits(begun(language).policy, texts, seed=3)
    for edit, draft in try_edits(begun(language), edits, EDITS):
        assert find_lost(found, draft.policy) == set(), edit
    for edit, draft in try_edits(begun(language), common_edits(begun(language).policy, texts, 1), rounds(1, 2)):
        assert find_lost(found, draft.policy) == set(), edit


def test_what_is_noted_while_it_is_played_changes_nothing_and_is_decided_the_same_again() -> None:
    plain = RuleDecider(load_domain("tasks"), begun("en").policy)
    for probe in base("en").index.probes:
        look = base("en").looks.get(probe)
        assert look.result == probe.run(plain)
        assert len(look.messages) >= len(look.result.right)
        assert not any(each.is_decided_otherwise(plain) for each in look.messages)


def test_conversations_are_played_anew_under_the_draft() -> None:
    chosen = load_conversations([FOLDER / "first.yaml"])[:1]
    (probe,) = probe_conversations(chosen)
    found = EffectBase([probe], begun(probe.language).policy, "tasks")
    first = chosen[0].turns[0].say.lower().replace(",", "").replace(".", "").split()
    silent = begun(probe.language).edit(AddGuard("not_about_tasks", f"^ {' '.join(first[:2])} {{rest?}}"))
    effect = found.find_effect(silent.policy)
    assert effect.run == 1
    assert len(effect.rows) == 1
    assert len(effect.rows[0].before.right) == len(chosen[0].turns)
    untouched = begun(probe.language).edit(AddPhrase("opener", "zumba"))
    assert found.find_effect(untouched.policy).run == 0


def test_a_conversation_is_played_again_only_where_a_message_is_decided_otherwise() -> None:
    (probe,) = probe_conversations(load_conversations([FOLDER / "first.yaml"])[:1])
    played: list[str] = []
    own = begun(probe.language)
    found = EffectBase([counted(probe, played)], own.policy, "tasks")
    word = probe.text.lower().split()[0].strip(",.")
    unasked = found.find_effect(own.edit(AddPhrase("clock_tell", word)).policy)
    assert (unasked.run, unasked.rows, len(played)) == (0, (), 1)  # nobody asked whether it is one of that class
    harmless = found.find_effect(own.edit(AddPhrase("or_not", word)).policy)
    assert (harmless.run, harmless.rows, len(played)) == (1, (), 1)  # played once, to know what it came to before
    moved = found.find_effect(own.edit(AddGuard("not_about_tasks", f"^ {word} {{rest?}}")).policy)
    assert (moved.run, len(moved.rows), len(played)) == (1, 1, 2)


def test_a_conversation_that_was_played_under_a_draft_is_not_played_again_for_the_next_edit() -> None:
    (probe,) = probe_conversations(load_conversations([FOLDER / "first.yaml"])[:1])
    played: list[str] = []
    own = begun(probe.language)
    found = EffectBase([counted(probe, played)], own.policy, "tasks")
    word = probe.text.lower().split()[0].strip(",.")
    wide = own.edit(AddGuard("not_about_tasks", f"^ {word} {{rest?}}"))
    assert len(found.find_effect(wide.policy).rows) == 1
    assert len(played) == 2
    on_top = found.find_effect(wide.edit(AddGuard("not_about_tasks", "^ zumba {rest?}")).policy)
    assert (len(on_top.rows), on_top.known, len(played)) == (1, 1, 2)


def test_a_threshold_that_no_message_of_it_was_near_does_not_touch_a_conversation() -> None:
    (probe,) = probe_conversations(load_conversations([FOLDER / "first.yaml"])[:1])
    own = begun(probe.language)
    found = EffectBase([probe], own.policy, "tasks")
    points = {point for each in found.looks.get(probe).messages for point in each.trace.points.get("act", ())}
    act = own.policy.thresholds.act
    near = min((point for point in points if point > act), default=1.0)
    assert found.find_effect(own.edit(SetThreshold("act", (act + near) / 2)).policy).run == 0
    assert found.find_effect(own.edit(SetThreshold("act", 0.999)).policy).run == (near < 1.0)


def test_where_everything_is_touched_conversations_are_played() -> None:
    (probe,) = probe_conversations(load_conversations([FOLDER / "first.yaml"])[:1])
    own, played = begun(probe.language), list[str]()
    found = EffectBase([counted(probe, played)], own.policy, "tasks")
    text = own.after["replies.yaml"].replace("verb_add_task:", "verb_add_task: note down #", 1)
    assert found.find_effect(own.edit(WriteFile("replies.yaml", text)).policy).run == 1
    assert len(played) == 2
