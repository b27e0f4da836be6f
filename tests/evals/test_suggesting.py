"""Suggested fixes: each mends its message, was run on everything else, and makes no rule of somebody's own words."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from domains.drafts import PolicyDraft, begin_draft
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context
from engine.editing.edits import AddGuard, AddPattern, AddPhrase, size_of
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.__main__ import main
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.finding import EffectBase
from evals.effect.probes import probe_case, probe_file
from evals.progress import Progress
from evals.suggesting.candidates import find_candidates
from evals.suggesting.generalising import make_patterns
from evals.suggesting.misread import Misread, misread_case, misread_conversation, misread_message
from evals.suggesting.search import Suggestions, suggest
from evals.suggesting.sets import suggest_for_set
from evals.worth import weigh_phrases, weigh_rules
from tests.conftest import NOW
from tests.our_cases import our_cases
from tests.rounds import rounds

SILENT = ("holler if you hear me", "complete silence fell over the room", "she made me a mixtape")


MISREAD = {
    "en-fresh-reword-task-1-to-buy-veggies",
    "en-nothing-complete-nonsense",
    "it-fresh-segna-un-gol-per-me",
}
"""Cases that go wrong: among those that an edit is tried on, however few they are."""


@cache
def begun(language: str = "en") -> PolicyDraft:
    return begin_draft("tasks", language)


@cache
def base(language: str = "en") -> EffectBase:
    every = [case for case in our_cases() if case.language == language and case.domain == "tasks"]
    own = {case.id: case for case in every[:: rounds(12, 1)] + [case for case in every if case.id in MISREAD]}.values()
    silent = probe_file(SILENT, "silent.txt", "silent", "tasks", language)
    return EffectBase([*(probe_case(case) for case in own), *silent], begun(language).policy, "tasks")


def decider(draft: PolicyDraft) -> RuleDecider:
    return RuleDecider(load_domain("tasks"), draft.policy)


def of_case(case_id: str) -> Misread:
    case = next(case for case in our_cases() if case.id == case_id)
    found = misread_case(case, decider(begun(case.language)))
    assert found
    return found


def of_message(text: str, wanted: str, *titles: str, **values: str) -> Misread:
    tasks = tuple(Task(f"t{number}", number, title) for number, title in enumerate(titles, 1))
    context = Context(MemoryIndex(tasks), NOW, language="en")
    return misread_message(text, context, wanted, values, language="en")


def suggestions(misread: Misread) -> Suggestions:
    return suggest(misread, begun(misread.language), base(misread.language), conversations=False, seconds=120)


@cache
def suggestions_for(case_id: str) -> Suggestions:
    return suggestions(of_case(case_id))


@pytest.mark.parametrize(
    ("case_id", "kinds"),
    [
        ("en-fresh-reword-task-1-to-buy-veggies", (AddPhrase, AddPattern)),
        ("en-nothing-complete-nonsense", (AddPhrase, AddGuard)),
        ("it-fresh-segna-un-gol-per-me", (AddPhrase, AddGuard)),
    ],
)
def test_a_known_failure_gets_a_fix_that_breaks_nothing(case_id: str, kinds: tuple[type, ...]) -> None:
    misread = of_case(case_id)
    found = suggestions_for(case_id)
    first = found.found[0]
    assert first.safe
    assert isinstance(first.edit, kinds)
    assert misread.passes(decider(begun(misread.language).edit(first.edit)))
    assert case_id in {row.probe.id for row in first.effect.fixed}
    assert first.effect.broken == ()
    assert found.told == ""


def test_suggestions_are_ranked_by_what_they_gain_and_then_by_size() -> None:
    found = suggestions_for("en-fresh-reword-task-1-to-buy-veggies").found
    ranks = [each.rank for each in found]
    assert ranks == sorted(ranks)
    assert size_of(found[0].edit) <= size_of(found[-1].edit) + 1
    assert all(each.told.endswith(".") and "fixes" in each.told for each in found)


def test_no_rule_is_made_of_the_name_of_a_task() -> None:
    misread = of_case("en-fresh-put-a-check-next-to-call")
    edits = [each.edit for each in find_candidates(misread, decider(begun()))]
    assert edits
    said = [edit.phrase if isinstance(edit, AddPhrase) else getattr(edit, "pattern", "") for edit in edits]
    assert not [each for each in said if "mom" in each.split()]


def test_a_way_of_asking_is_made_general_from_its_message() -> None:
    facts = load_domain("tasks").catalogue.by_intent["add_task"]
    misread = of_message("scribble down water the plants tomorrow for me", "add_task", title="water the plants")
    patterns = make_patterns(misread, facts, begun().policy)
    assert "scribble down {title}" in patterns[0]
    facts = load_domain("tasks").catalogue.by_intent["update_task"]
    values = {"task_identifier": "t1", "new_due_date": "2026-03-06"}
    misread = of_message("kick the dentist over to friday", "update_task", "Call the dentist", **values)
    assert any(each.startswith("kick {target} over") and "{new_due_date}" in each for each in
               make_patterns(misread, facts, begun().policy))  # fmt: skip


def test_an_edit_that_wakes_a_message_that_must_stay_silent_is_not_safe() -> None:
    found = suggestions(of_message("holler water the plants", "add_task", title="water the plants"))
    waking = [each for each in found.found if isinstance(each.edit, AddPhrase) and each.edit.phrase == "holler"]
    assert all(not each.safe for each in waking if "silent.txt:1" in each.effect.evidence()["critical"])
    assert found.found[0].rank <= found.found[-1].rank


def test_where_nothing_helps_it_says_so() -> None:
    found = suggestions(of_message("complete it", "complete_task", task_identifier="no such task"))
    assert found.found == ()
    assert found.told.startswith("None of")


def test_the_first_turn_of_a_conversation_is_a_message_like_any_other() -> None:
    every = load_conversations(sorted((FOLDER / "blind").glob("batch_11.yaml")))
    found = [misread_conversation(each, decider(begun(each.lang))) for each in every[:6]]
    failing = [each for each in found if each]
    assert failing
    assert all(each.wanted and not each.passes(decider(begun(each.language))) for each in failing)


def test_the_command_suggests_for_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.yaml"
    cases.write_text("cases:\n  - {id: a, say: 'show my tasks', intent: list_tasks}\n", encoding="utf-8")
    silent = tmp_path / "silent.txt"
    silent.write_text("what a day\n", encoding="utf-8")
    given = ["suggest", "--message", "holler at me to feed the cat", "--want", "add_task", "--argument",
             "title=feed the cat", "--cases", str(cases), "--silent", str(silent), "--no-conversations"]  # fmt: skip
    assert main(given) == 0
    assert "1. Add “holler at me” to <remind_me>: fixes 0, breaks nothing." in capsys.readouterr().out
    assert main([*given, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["suggestions"][0]["edit"] == {"kind": "AddPhrase", "class_name": "remind_me", "phrase": "holler at me"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--case", "no-such-case"], "there is no case 'no-such-case'"),
        (["--message", "hello"], "--want or --tool must say"),
        (["--message", "hello", "--want", "fly"], "there is no intent 'fly'"),
        (["--message", "hello", "--want", "x", "--domain", "machines"], "there is no intent 'x'"),
    ],
)
def test_the_command_says_what_is_wrong_with_its_options(
    given: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = load_conversations()  # without the thousands of others, which it takes seconds to look through
    monkeypatch.setattr("evals.suggesting.command.load_conversations", lambda _folders: own)
    assert main(["suggest", *given]) == 2
    assert told in capsys.readouterr().err


def test_a_case_that_passes_needs_no_fix(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--case", "en-add-add-task-buy-groceries"]) == 0
    assert "nothing to mend" in capsys.readouterr().out


def test_each_rule_says_what_it_is_worth() -> None:
    misread = "en-nothing-complete-nonsense"
    wanted = {"en-add-add-task-buy-groceries", misread, "en-add-add-read-middlemarch-to-my-tasks"}
    cases = [case for case in our_cases() if case.id in wanted]
    worths = {worth.rule: worth for worth in weigh_rules(cases, begun().policy, "tasks")}
    item, bare = worths["frame:add.item"], worths["frame:complete.bare"]
    assert (item.fires, item.right) == (1, 1)
    assert (bare.fires, bare.right, bare.alone, bare.wrong_messages) == (1, 0, 1, (misread,))
    assert bare.place
    assert worths["frame:list.show"].fires == 0
    order = list(worths)
    assert order.index("frame:complete.bare") < order.index("frame:list.show") < order.index("frame:add.item")


def test_phrases_that_nobody_says_come_first() -> None:
    cases = [case for case in our_cases() if case.id == "en-add-add-task-buy-groceries"]
    found = weigh_phrases(cases, begun().policy, "tasks")
    assert found[0].said == 0
    assert any((each.class_name, each.phrase, each.said) == ("add", "add", 1) for each in found)


def test_the_worth_command_prints_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.yaml"
    cases.write_text("cases:\n  - {id: a, say: 'show my tasks', intent: list_tasks}\n", encoding="utf-8")
    assert main(["worth", "--cases", str(cases), "--most", "200"]) == 0
    told = capsys.readouterr().out
    assert "never fires" in told
    assert "frame:list.show" in told
    assert main(["worth", "--cases", str(cases), "--phrases", "--most", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_an_edit_that_mends_several_of_a_set_comes_first_and_what_adds_nothing_is_left_out() -> None:
    """Two that one phrase mends, and one that is not like them."""
    chores = ("feed the cat", "call the bank")
    alike = [replace(of_message(f"holler at me to {title}", "add_task", title=title), id=title) for title in chores]
    other = of_case("en-nothing-complete-nonsense")
    found = suggest_for_set([other, *alike], begun(), base(), conversations=False)
    first = found.found[0]
    assert first.safe
    assert first.mends == chores
    assert found.mended == {other.id, *chores}
    assert found.told == "3 of 3 can be mended with nothing broken."
    assert [each.mends for each in found.found[1:]] == [(other.id,)]


def test_a_search_for_a_set_ends_when_it_is_cancelled() -> None:
    found = suggest_for_set(
        [of_case("en-nothing-complete-nonsense")], begun(), base(), progress=Progress(0, cancelled=True)
    )
    assert (found.tried, found.complete) == (0, False)
    assert found.told == "None of 0 edits mends any of the 1."


@pytest.mark.thorough(
    "tests/evals/test_suggesting.py::test_an_edit_that_mends_several_of_a_set_comes_first_and_what_adds_nothing_is_left_out"
)
def test_the_command_takes_a_set_of_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = "silence", "nonsense"
    lines = [f"  - {{id: {each}, say: complete {each}, intent: unknown}}" for each in (one, other)]
    cases, listed = tmp_path / "cases.yaml", tmp_path / "set.txt"
    cases.write_text("\n".join(["cases:", *lines, ""]), encoding="utf-8")
    listed.write_text(f"# misread\n{one}\n{other}\n", encoding="utf-8")
    few = ["--cases", str(cases), "--no-conversations"]
    assert main(["suggest", "--set", str(listed), *few, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cases"] == [one, other]
    assert told["mended"] == sorted([one, other])
    assert {name for each in told["suggestions"] for name in each["mends"]} == {one, other}
    assert main(["suggest", "--case", one, "--case", "no-such-case", *few]) == 2
    assert "there is no case 'no-such-case'" in capsys.readouterr().err


def patterns_of(misread: Misread) -> tuple[str, ...]:
    policy = begun().policy
    return make_patterns(misread, policy.catalogue.by_intent[misread.wanted[0]], policy)


def test_the_words_around_the_slots_become_the_classes_that_such_requests_use() -> None:
    misread = of_message(
        "set a due date of Thursday for buy groceries", "update_task", "buy groceries",
        task_identifier="t1", new_due_date="2026-03-05",
    )  # fmt: skip
    assert "<change> [<det>] <date_field> of {new_due_date} <into> {target}" in patterns_of(misread)


def test_a_title_that_nobody_labelled_is_guessed_and_no_rule_is_made_of_it() -> None:
    misread = of_message("jot this down as a task: measure the balcony", "add_task")
    found = patterns_of(misread)
    assert "jot [<det>] down as [<det>] <one_item> {title}" in found
    own = {"measure", "balcony"}
    for candidate in find_candidates(misread, decider(begun())):
        edit = candidate.edit
        said = edit.phrase if isinstance(edit, AddPhrase) else edit.pattern if isinstance(edit, AddPattern) else ""
        assert own.isdisjoint(said.split()), edit


def test_a_new_title_is_not_taken_for_the_thing_that_gets_it() -> None:
    misread = of_message(
        "reword task 1 to buy veggies", "update_task", "buy groceries", task_identifier="t1", new_title="buy veggies"
    )
    assert "reword {target} <into> {new_title}" in patterns_of(misread)


def test_a_guard_of_what_things_are_called_is_worth_less_than_one_of_the_whole_message() -> None:
    misread = of_message("when is my rent due by law?", "unknown", "pay rent")
    guards = [
        each.edit.pattern for each in find_candidates(misread, decider(begun())) if isinstance(each.edit, AddGuard)
    ]
    assert guards.index("^ when is my rent due by law $") < guards.index("^ when is my rent {rest?}")
