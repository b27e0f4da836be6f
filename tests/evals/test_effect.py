"""The effect of an edit: what it fixes, breaks and changes; and nothing is lost by running only what it can touch."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice

import pytest

from benchmarks.policy_effect import (
    common_edits,
    find_lost,
    many_cases,
    random_edits,
    rows_of,
    threshold_edits,
    try_edits,
)
from db.evaluation.cases import save_case
from domains.drafts import PolicyDraft, begin_draft
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decider
from engine.editing.edits import AddGuard, AddPattern, AddPhrase, AddWay, Edit, RemovePhrase, SetThreshold, WriteFile
from engine.editing.noting import AskedNames
from engine.editing.touching import find_touch
from engine.editing.tracing import TracedPolicy
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.targets.memory_index import MemoryIndex
from evals.effect.finding import EffectBase
from evals.effect.gathering import probe_history, probe_saved
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import Probe, ProbeResult, probe_case, probe_file, probe_message
from evals.effect.reach import EditReach
from evals.progress import Progress
from tests.assistant.conftest import Chat, chat
from tests.conftest import NOW
from tests.our_cases import our_cases
from tests.rounds import rounds

__all__ = ["chat"]
HOLLER = AddPhrase("remind_me", "holler at me")
EVERY_NTH = {"en": rounds(10, 5), "it": rounds(9, 3)}
EDITS = rounds(5, 9)


@cache
def begun(language: str = "en") -> PolicyDraft:
    return begin_draft("tasks", language)


def other_replies() -> str:
    return begun().after["replies.yaml"].replace("verb_add_task:", "verb_add_task: note down #", 1)


@cache
def base(language: str = "en") -> EffectBase:
    own = [case for case in our_cases() if case.language == language and case.domain == "tasks"]
    probes = [probe_case(case) for case in own[:: EVERY_NTH[language]]]
    return EffectBase(probes, begun(language).policy, "tasks")


@pytest.mark.parametrize("seed", range(rounds(1, 3)))
@pytest.mark.parametrize("language", ["en", "it"])
def test_no_message_that_an_edit_touches_is_left_out(language: str, seed: int) -> None:
    found = base(language)
    texts = [probe.text for probe in found.index.probes]
    edits = random_edits(begun(language).policy, texts, seed)
    touched = 0
    for edit, draft in try_edits(begun(language), edits, EDITS):
        assert find_lost(found, draft.policy) == set(), edit
        touched += find_touch(found.policy, draft.policy).everything == ()
    assert touched == EDITS  # none of them was so large that everything is run anyway


def test_no_message_is_left_out_by_an_edit_about_words_that_most_messages_have() -> None:
    found = base()
    edits = common_edits(begun().policy, [probe.text for probe in found.index.probes], 2)
    for edit, draft in try_edits(begun(), edits, EDITS):
        assert find_lost(found, draft.policy) == set(), edit


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_message_is_left_out_where_a_threshold_is_moved_far(language: str) -> None:
    """Thresholds are asked only where their answer counts, so that most messages need not be run again."""
    found = base(language)
    for edit, draft in try_edits(begun(language), threshold_edits(), 3):
        effect = found.find_effect(draft.policy)
        assert rows_of(effect) == rows_of(found.run_everything(draft.policy)), edit
        assert effect.run < effect.total / 2, edit


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_message_is_left_out_where_a_common_word_comes_into_a_class_or_leaves_it(language: str) -> None:
    """Only what asked for that class of that word is run again."""
    found, policy = base(language), begun(language).policy
    said = Counter(word for probe in found.index.probes for word in probe.text.lower().split() if word.isalpha())
    words = [word for word, _ in said.most_common(30)]
    choose = random.Random(19)

    def edits() -> Iterator[Edit]:
        names = sorted(policy.reading_words)
        while True:
            name = choose.choice(names)
            known = [each for each in policy.source["words"][name] if not set(words).isdisjoint(each.split())]
            yield AddPhrase(name, choose.choice(words))
            yield AddPhrase(name, f"{choose.choice(words)} {choose.choice(words)}")
            if known:
                yield RemovePhrase(name, choose.choice(known))

    for edit, draft in try_edits(begun(language), edits(), rounds(8, 60)):
        assert find_lost(found, draft.policy) == set(), edit


def test_a_word_that_only_stands_in_a_stored_title_touches_nothing_where_nobody_asked_for_its_class() -> None:
    stored = {"tasks": [{"id": "1", "number": 1, "title": "Buy milk"}]}
    said = ("show my tasks", "add call the dentist", "the same date as the milk")
    probes = [probe_message(text, text, "same", "tasks", stored, language="en") for text in said]
    draft = begun().edit(AddPhrase("cue_same_day", "milk"))
    assert EffectBase(probes, begun().policy, "tasks").find_effect(draft.policy).run < len(said)


def test_whoever_goes_through_all_classes_of_a_word_is_noted_as_having_asked_for_each() -> None:
    traced = TracedPolicy(begun().policy)
    names = AskedNames(begun().policy)
    with traced.tracing() as trace:
        assert "add" in traced.policy.word_classes.get("add", frozenset())
        assert traced.policy.word_classes.get("fro", frozenset()).isdisjoint(("item",))
        list(traced.policy.word_classes.get("milk", frozenset()))
        frozenset({"opener"}).isdisjoint(traced.policy.word_classes.get("tea", frozenset()))
        traced.policy.lexicon.says("closer", ("now", "then"))
    asked = trace.asked
    assert asked.covers(names.mask_of("add"), ["add"])
    assert not asked.covers(names.mask_of("item"), ["add"])
    assert asked.covers(names.mask_of("item"), ["fro"])
    assert asked.covers(names.mask_of("item"), ["milk"])
    assert asked.covers(names.mask_of("item"), ["tea"])
    assert asked.covers(names.mask_of("closer"), ["then"])
    assert not asked.covers(names.mask_of("opener"), ["then"])


def test_what_the_rest_will_come_to_is_told_by_what_was_seen() -> None:
    outlook = EffectOutlook()
    outlook.begin((100, 900))
    assert outlook.more is None
    for number in range(100):
        outlook.count(0, found=number < 80)
    assert outlook.more is None  # of the second kind nothing was seen yet
    for number in range(300):
        outlook.count(1, found=number % 10 == 0)
    assert outlook.more
    low, high = outlook.more
    assert low < 60 < high
    assert high - low < 60
    for _ in range(600):
        outlook.count(1, found=False)
    assert outlook.more == (0, 0)


def test_messages_that_say_the_words_come_before_those_that_have_them_around() -> None:
    stored = {"tasks": [{"id": "1", "number": 1, "title": "Buy milk"}]}
    probes = [probe_message(f"list {each}", "show my tasks", "same", "tasks", stored, language="en") for each in "abcd"]
    probes.append(probe_message("said", "remind me of the milk", "same", "tasks", {}, language="en"))
    found = EffectBase(probes, begun().policy, "tasks")
    draft = begun().edit(AddPhrase("item", "milk")).policy
    reach = EditReach(found.index, find_touch(found.policy, draft), draft)
    assert found.index.probes[reach.places[0]].id == "said"
    assert reach.sizes == (1, 4, 0)


def test_of_messages_with_common_words_only_those_that_a_pattern_fits_are_run_again() -> None:
    effect = base().find_effect(begun().edit(AddGuard("not_about_tasks", "^ the {rest?}")).policy)
    having = [probe for probe in base().index.probes if "the" in probe.text.lower().split()]
    assert effect.complete
    assert 0 < effect.run < len(having) / 3


@pytest.mark.parametrize(
    "edit",
    [
        AddPattern("add_task", "add.remind_me", "the {title}"),
        AddPattern("add_task", "add.the", "the {title}", clear=True),
        AddPhrase("misspelt", "the"),
        AddWay("state.done", "^ the {target} {tail?}"),
    ],
)
def test_none_is_left_out_where_ways_of_asking_are_looked_at_closely(edit: Edit) -> None:
    assert find_lost(base(), begun().edit(edit).policy) == set()


def test_a_pattern_that_fits_inside_the_title_of_another_way_of_asking_runs_nothing_again() -> None:
    said = ["mark the rent as done", "the rent"]
    found = EffectBase(probe_file(said, "same.txt", "same", "tasks", "en"), begun().policy, "tasks")
    effect = found.find_effect(begun().edit(AddPattern("add_task", "add.remind_me", "the {title}")).policy)
    assert [row.probe.text for row in effect.rows] == ["the rent"]
    assert effect.run == 1


def test_a_word_that_slips_are_read_as_runs_only_the_slips_again() -> None:
    said = ["shovel the drive", "sohvel the drive"]
    found = EffectBase(probe_file(said, "same.txt", "same", "tasks", "en"), begun().policy, "tasks")
    assert found.find_effect(begun().edit(AddPhrase("misspelt", "shovel")).policy).run == 1


def test_what_is_noted_along_the_way_changes_no_decision() -> None:
    plain = RuleDecider(load_domain("tasks"), begun().policy)
    for probe in base().index.probes:
        assert base().looks.get(probe).result == probe.run(plain), probe.id


def test_looked_at_ahead_and_when_needed_comes_to_the_same() -> None:
    probes = probe_file(["holler at me to eat", "what a day", "add milk"], "same.txt", "same", "tasks", "en")
    ahead, later = (EffectBase(probes, begun().policy, "tasks") for _ in range(2))
    progress = Progress(0)
    ahead.look_ahead(progress)
    assert (progress.done, progress.total) == (3, 3)
    assert [ahead.looks.find(probe) for probe in probes] == [later.looks.get(probe) for probe in probes]
    draft = begun().edit(SetThreshold("act", 0.99)).policy
    assert rows_of(ahead.find_effect(draft)) == rows_of(later.find_effect(draft))
    stopped = EffectBase(probes, begun().policy, "tasks")
    stopped.look_ahead(Progress(0), give_way=lambda: True)
    assert not any(stopped.looks.find(probe) for probe in probes)


def test_what_was_seen_under_one_version_holds_under_the_next_but_for_what_the_edit_touches() -> None:
    earlier = base()
    for probe in earlier.index.probes:
        earlier.looks.get(probe)
    draft = begun().edit(AddGuard("not_about_tasks", "^ add task {rest}"))
    later, anew = (EffectBase(earlier.index.probes, draft.policy, "tasks") for _ in range(2))
    later.take_over(earlier)
    kept = [probe for probe in later.index.probes if later.looks.find(probe)]
    assert len(later.index.probes) / 2 < len(kept) < len(later.index.probes)
    for probe in kept:
        assert later.looks.get(probe) == anew.looks.get(probe), probe.id
    otherwise = begun().edit(WriteFile("replies.yaml", other_replies()))
    nothing = EffectBase(earlier.index.probes, otherwise.policy, "tasks")
    nothing.take_over(earlier)
    assert not any(map(nothing.looks.find, nothing.index.probes))


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_message_is_left_out_of_a_draft_that_stands_on_another(language: str) -> None:
    """One edit after another, narrow and wide, and the last one taken back: what the drafts before came to is used."""
    policy, texts = begun(language).policy, [probe.text for probe in base(language).index.probes]
    found = EffectBase(base(language).index.probes, policy, "tasks", onto=base(language))
    some = random_edits(policy, texts, 23)
    wide = common_edits(policy, texts, 2)
    draft, known = begun(language), 0
    both = chain.from_iterable(zip(wide, some, strict=False))
    for edit in (*islice(both, 3), SetThreshold("act", 0.93), *islice(both, 3), SetThreshold("act", 0.8)):
        try:
            draft = draft.edit(edit)
        except (EditError, PolicyError):
            continue
        effect = found.find_effect(draft.policy)
        assert rows_of(effect) == rows_of(found.run_everything(draft.policy)), edit
        known += effect.known
    assert known
    again = found.find_effect(draft.policy)
    assert again.known == again.run


def test_a_wide_edit_is_waited_for_once_and_what_is_put_on_top_costs_what_it_touches_itself() -> None:
    texts = [f"please take the bin number {count} out" for count in range(20)]
    ran: list[str] = []

    def counted(probe: Probe) -> Probe:
        def run(decider: Decider) -> ProbeResult:
            ran.append(probe.id)
            return probe.run(decider)

        return replace(probe, run=run)

    probes = [counted(each) for each in probe_file(texts, "said.txt", "same", "tasks", "en")]
    found = EffectBase(probes, begun().policy, "tasks")
    wide = begun().edit(AddGuard("not_about_tasks", "^ please take {rest?}"))
    assert len(found.find_effect(wide.policy).rows) == found.find_effect(wide.policy).run == 20
    ran.clear()
    on_top = wide.edit(AddGuard("not_about_tasks", "^ please take the bin number 7 {rest?}"))
    effect = found.find_effect(on_top.policy)
    assert (effect.run, effect.known, len(effect.rows)) == (20, 19, 20)
    assert ran == ["said.txt:8"]
    searched = found.find_effect(wide.edit(HOLLER).policy, remember=False)
    assert searched.known == 20
    assert found.find_effect(on_top.policy).known == 20  # what a search tries takes nobody's place


@pytest.mark.parametrize("language", ["en", "it"])
def test_where_a_threshold_leads_to_is_known_ahead_and_equal_to_a_run_over_everything(language: str) -> None:
    found = EffectBase(base(language).index.probes[::2], begun(language).policy, "tasks")
    for probe in found.index.probes:
        found.steps.keep(probe, found.steps.look(probe))
    choose = random.Random(5)
    far = [SetThreshold(choose.choice(("act", "read", "target")), choose.randint(1, 99) / 100) for _ in range(40)]
    known = run = 0
    for edit, draft in try_edits(begun(language), chain(threshold_edits(), far), rounds(8, 30)):
        effect = found.find_effect(draft.policy, remember=False)
        assert rows_of(effect) == rows_of(found.run_everything(draft.policy)), edit
        known, run = known + effect.known, run + effect.run
    assert known > 0.8 * run


def test_where_thresholds_lead_to_is_looked_at_in_another_process_once_messages_were() -> None:
    probes = probe_file(["holler at me to eat", "what a day", "add milk"], "same.txt", "same", "tasks", "en")
    found = EffectBase(probes, begun().policy, "tasks")
    found.step_ahead(Progress(0))
    assert not any(map(found.steps.find, probes))
    found.look_ahead(Progress(0))
    found.step_ahead(Progress(0), give_way=lambda: True)
    assert not any(map(found.steps.find, probes))
    found.step_ahead(Progress(0))
    assert [found.steps.find(probe) for probe in probes] == [found.steps.look(probe) for probe in probes]
    effect = found.find_effect(begun().edit(SetThreshold("act", 0.99)).policy)
    assert effect.known == effect.run > 0


def test_rows_are_told_while_it_goes_on() -> None:
    probes = probe_file(["holler at me to eat", "holler at me to sleep"], "same.txt", "same", "tasks", "en")
    progress, heard = Progress(0), []
    found = EffectBase(probes, begun().policy, "tasks")
    effect = found.find_effect(
        begun().edit(HOLLER).policy,
        progress=progress,
        tell=lambda row: heard.append((row.probe.id, progress.done, progress.total)),
    )
    assert [(done, total) for _, done, total in heard] == [(0, 2), (1, 2)]
    assert sorted(name for name, _, _ in heard) == ["same.txt:1", "same.txt:2"]
    assert effect.complete


def test_only_what_has_the_words_is_run_again() -> None:
    effect = base().find_effect(begun().edit(HOLLER).policy)
    assert effect.run < effect.total / 20


def test_fixed_broken_and_changed_are_told_apart() -> None:
    silent = probe_file(["holler at me now and then", "what a day"], "silent.txt", "silent", "tasks", "en")
    same = probe_file(["holler at me to eat"], "same.txt", "same", "tasks", "en")
    free = (probe_message("free", "holler at me to sleep", "history", "tasks", {}, language="en"),)
    found = EffectBase((*silent, *same, *free), begun().policy, "tasks")
    effect = found.find_effect(begun().edit(HOLLER).policy)
    kinds = {row.probe.id: row.kind for row in effect.rows}
    assert kinds == {"silent.txt:1": "broken", "same.txt:1": "broken", "free": "changed"}
    assert [row.probe.id for row in effect.critical] == ["silent.txt:1"]
    row = next(row for row in effect.rows if row.probe.id == "free")
    assert row.before.told == "reply: unknown (not_about_tasks)"
    assert row.after.told == "execute: add_task(title=sleep)"
    assert effect.evidence()["broken"] == ["silent.txt:1", "same.txt:1"]


def test_a_case_that_passes_by_an_edit_is_fixed_and_the_other_way_round() -> None:
    case = next(case for case in our_cases() if case.id == "en-nothing-complete-nonsense")
    done = next(case for case in our_cases() if case.id == "en-add-add-task-buy-groceries")
    found = EffectBase([probe_case(case), probe_case(done)], begun().policy, "tasks")
    effect = found.find_effect(begun().edit(AddGuard("not_about_tasks", "^ complete nonsense")).policy)
    assert rows_of(effect) == {(case.id, "fixed")}
    effect = found.find_effect(begun().edit(AddGuard("not_about_tasks", "^ add task {rest}")).policy)
    assert rows_of(effect) == {(done.id, "broken")}


def test_a_change_of_which_nothing_is_known_runs_everything_and_says_why() -> None:
    draft = begun().edit(WriteFile("replies.yaml", other_replies()))
    effect = base().find_effect(draft.policy)
    assert effect.touch
    assert effect.touch.everything == ("replies",)
    assert effect.run == effect.total


def test_it_ends_in_time_and_says_that_it_is_not_complete() -> None:
    draft = begun().edit(AddPattern("add_task", "add.any", "^ {title}", weak=True))
    effect = base().find_effect(draft.policy, seconds=0.0)
    assert not effect.complete
    assert effect.run < effect.total


def test_a_trace_knows_every_number_that_a_threshold_was_compared_with() -> None:
    traced = TracedPolicy(begun().policy)
    decider = RuleDecider(load_domain("tasks"), traced.policy)
    context = Context(MemoryIndex(()), NOW, language="en")
    with traced.tracing() as trace:
        decision = decider.decide("please note down a to-do: water the plants", context)
    assert decision.confidence is not None
    assert any(abs(point - decision.confidence) < 1e-9 for point in trace.points["act"])
    assert trace.is_passed("act", 0.5, 0.7)
    assert "word:note" in trace.names
    with traced.tracing() as trace:
        decider.decide("show my tasks", context)
    assert not trace.is_passed("act", 0.6, 0.85)
    assert "word:note" not in trace.names
    plain = RuleDecider(load_domain("tasks"), begun().policy).decide("add milk", context)
    assert decider.decide("add milk", context).confidence == plain.confidence


def test_a_number_made_of_a_threshold_is_followed_to_where_it_is_compared() -> None:
    """What moves together with the threshold comes out the same wherever it stands."""
    traced = TracedPolicy(begun().policy)
    act = begun().policy.thresholds.act
    with traced.tracing() as trace:
        limit = traced.policy.thresholds.act
        below = round(limit - 0.01, 6)
        assert below < limit
        assert limit - below == pytest.approx(0.01)
        assert not trace.points
        assert below < 0.8
    assert not trace.opaque
    assert trace.is_passed("act", act, 0.81)
    assert not trace.is_passed("act", act, 0.8)
    assert trace.next_point("act", act, up=True) == pytest.approx(0.81)
    with traced.tracing() as trace:
        assert round(traced.policy.thresholds.act, 1) == round(act, 1)
    assert trace.opaque == {"act"}


def test_a_word_with_letters_drawn_out_is_touched_by_the_word_that_it_is_read_as() -> None:
    probes = probe_file(["zumbaaa me to feed the cat"], "said.txt", "same", "tasks", "en")
    found = EffectBase(probes, begun().policy, "tasks")
    draft = begun().edit(AddPhrase("remind_me", "zumba me to"), AddPhrase("remind_me", "zumba"))
    assert find_lost(found, draft.policy) == set()
    assert found.find_effect(draft.policy).run == 1


def test_saved_cases_and_turns_of_the_past_are_looked_at(chat: Chat) -> None:
    chat.say("holler at me to feed the cat")
    chat.say("what a day")
    expected = {"intent": "add_task", "action": "execute", "parameters": {"title": "feed the cat"}}
    with chat.database.write() as session:
        context = {"tasks": [{"id": "1", "number": 1, "title": "Feed the cat"}], "lang": "en", "now": NOW.isoformat()}
        save_case(session, chat.user.id, "holler at me to feed the cat", context, expected)
    saved = probe_saved(chat.database, chat.user.id, "tasks")
    past = tuple(probe_history(chat.database, chat.user.id, "tasks"))
    assert len(past) == 2
    effect = EffectBase((*saved, *past), begun().policy, "tasks").find_effect(begun().edit(HOLLER).policy)
    assert sorted((row.probe.source, row.kind) for row in effect.rows) == [("history", "changed"), ("saved", "fixed")]
    assert effect.run == 3  # the second turn has the words of the first in what was said before


def test_somebodys_own_messages_come_on_top_of_what_everybody_has() -> None:
    """As if all had been read together; and what it was before is found once for everybody."""
    common = probe_file(["holler at me now and then", "what a day"], "silent.txt", "silent", "tasks", "en")
    own = (probe_message("own", "holler at me to sleep", "history", "tasks", {}, language="en"),)
    project = EffectBase(common, begun().policy, "tasks")
    together = EffectBase((*common, *own), begun().policy, "tasks")
    on_top = EffectBase(own, begun().policy, "tasks", onto=project)
    draft = begun().edit(HOLLER).policy
    assert rows_of(on_top.find_effect(draft)) == rows_of(together.find_effect(draft))
    assert on_top.find_effect(draft).total == 3
    assert len(project.index.probes) == 2
    assert project.find_effect(draft).run == 1
    assert project.before(common[0]) is on_top.before(common[0])


def test_a_record_that_cannot_be_decided_does_not_end_the_others() -> None:
    broken = probe_message("broken", "holler at me to eat", "history", "tasks", {"tasks": "none"}, language="en")
    sound = probe_message("sound", "holler at me to eat", "history", "tasks", {}, language="en")
    effect = EffectBase((broken, sound), begun().policy, "tasks").find_effect(begun().edit(HOLLER).policy)
    assert [row.probe.id for row in effect.rows] == ["sound"]


def test_many_cases_are_as_many_as_wanted_and_all_different() -> None:
    cases = tuple(islice(many_cases(our_cases()[:7], 50), 50))
    assert len({case.id for case in cases}) == 50
    assert len({case.turns[0].say for case in cases}) == 50


def test_a_threshold_only_runs_what_it_passes() -> None:
    effect = base().find_effect(begun().edit(SetThreshold("act", 0.9)).policy)
    assert 0 < effect.run < effect.total / 2
