"""The Policy page from a misread message to a version in force, run by Streamlit's own test runner."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.cases import list_cases, save_case
from db.policies.in_force import find_active
from db.policies.saving import save_draft
from db.policies.versions import PolicyVersion, find_by_digest, list_versions, read_files
from db.turns.conversations import list_conversations
from domains.drafts import begin_draft
from domains.files import FilesInForce
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from engine.decision import Context
from engine.editing.edits import AddPhrase, Edit
from engine.editing.yaml_edits import EditError
from evals.effect.probes import probe_cases, probe_file
from tests.conftest import NOW
from tests.domains.machines.test_compose import machine
from tests.our_cases import our_cases
from tests.pages.conftest import SECONDS
from tests.pages.opening import open_at
from tests.pages.test_history import converse
from tests.pages.test_tasks import person
from ui import background
from ui.lanes import domain_engine
from ui.policy.importing import import_version
from ui.policy.versions import export_version

HOLLER = "holler at me to water the plants"
ADDRESS = {"text": HOLLER, "want": "add_task"}


def open_page(**address: str) -> AppTest:
    return open_at("policy", address, SECONDS)


def settle(page: AppTest) -> AppTest:
    """As soon as everything that goes on in the background has ended."""
    for thread in background.threads():
        thread.join(SECONDS)
    page.run()
    assert not page.exception, page.exception
    return page


def button(page: AppTest, label: str) -> Any:
    return next(each for each in page.button if each.label == label)


def labels(page: AppTest) -> list[str]:
    return [each.label for each in page.button]


def press(page: AppTest, label: str) -> AppTest:
    button(page, label).click().run()
    assert not page.exception, page.exception
    return page


def words(page: AppTest) -> str:
    said = [each.value for kind in (page.markdown, page.caption, page.info, page.success) for each in kind]
    told = [each.value for kind in (page.warning, page.error, page.subheader) for each in kind]
    return "\n".join([*said, *told, *(each.proto.body for each in page.get("html"))])


def draft_of(page: AppTest) -> AppTest:
    """With the best suggestion in it, and its effect known."""
    settle(page)
    return settle(press(page, "Put into the draft"))


def versions(database: Database) -> tuple[PolicyVersion, ...]:
    with database.read() as session:
        return list_versions(session, "tasks", "en")


def active(database: Database, scope: str = "") -> PolicyVersion | None:
    with database.read() as session:
        return find_active(session, "tasks", "en", scope)


def save_elsewhere(database: Database, *edits: Edit, since: int = 0, in_force: bool = False) -> PolicyVersion:
    with database.write() as session:
        draft = begin_draft("tasks", "en").edit(*edits)
        return save_draft(session, draft, author="Bob", since=since, note="Bob's own", in_force=in_force)


def test_without_a_message_it_says_what_to_do(workbench: Database) -> None:
    page = open_page()
    assert "Type a message that was misread" in words(page)
    assert "Empty, over the project’s files." in words(page)
    assert "Save and put in force" not in labels(page)


@pytest.mark.thorough(
    "tests/browser/test_policy.py::test_a_misread_message_becomes_a_version_that_reads_it_right_in_eight_clicks"
)
def test_a_misread_message_is_explained_mended_saved_and_in_force(workbench: Database) -> None:
    page = open_page(**ADDRESS)
    assert "Does nothing, only replies" in words(page)
    assert "“holler at me” would have to be a word like “remind me”" in words(page)
    draft_of(page)
    told = words(page)
    assert "✓ Added: “holler at me” counts as a word like “remind me”." in told
    assert "Will add “water the plants”" in told
    assert "✓ as wanted" in told
    assert "+holler at me" in page.code[0].value
    assert [each for each in page.segmented_control if each.label == "What the draft does"]
    page.text_input(key="policy_note").set_value("people holler").run()
    press(page, "Save and put in force")
    (version,) = versions(workbench)
    assert (version.note, version.evidence["broken"], version.evidence["message"]) == ("people holler", [], HOLLER)
    assert active(workbench) == version
    assert f"Saved as version 1 \\({version.language}\\-{version.digest}\\)" in words(page)
    assert "version 1 by" in words(page)
    assert f"Say “{HOLLER}” in Chat" in labels(page)
    with workbench.read() as session:
        (case,) = list_cases(session, person(workbench).id)
    assert (case.text, case.expected) == (HOLLER, {"intent": "add_task"})
    inspected = open_at("inspect", {"text": HOLLER}, SECONDS)
    assert "Will add “water the plants”" in words(inspected)


@pytest.mark.thorough(
    "tests/db/test_policy_versions.py::test_a_version_is_in_force_for_one_session_or_for_all_and_is_rolled_back"
)
def test_saved_for_one_session_it_counts_there_only(workbench: Database) -> None:
    page = draft_of(open_page(**ADDRESS))
    page.segmented_control(key="policy_for").set_value("session").run()
    press(page, "Save and use in this session")
    (version,) = versions(workbench)
    assert active(workbench) is None
    scope = page.session_state["policy_scope"]
    assert active(workbench, scope) == version
    assert "in this session: **version 1**" in words(page)
    assert "Does nothing" in words(open_at("inspect", {"text": HOLLER}, SECONDS))
    assert "Will add" in words(open_at("inspect", {"text": HOLLER, "session": scope}, SECONDS))


def test_links_of_older_turns_go_by_this_sessions_version(workbench: Database) -> None:
    """Also those that were drawn, and kept, before the session had one."""
    turns = converse(workbench, ("add milk", "add bread", "add tea"))
    with workbench.read() as session:
        address = {"conversation": list_conversations(session, person(workbench).id)[0].id}
    assert "session=" not in words(open_at("chat", address, SECONDS))
    drawn = words(open_at("chat", {**address, "session": "0123456789ab"}, SECONDS))
    for turn in turns:
        assert f"/inspect?turn={turn}&amp;user=maya&amp;session=0123456789ab" in drawn


@pytest.mark.thorough("tests/db/test_policy_versions.py::test_the_second_of_two_savers_sees_what_the_first_saved")
def test_whoever_saves_second_sees_the_first_change_and_can_go_on_top_of_it(workbench: Database) -> None:
    page = draft_of(open_page(**ADDRESS))
    save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"))
    press(page, "Save and put in force")
    assert "**Bob** has saved version 1 since you began" in words(page)
    assert len(versions(workbench)) == 1
    assert "- “ping me to” counts as a word like" in words(page)
    assert any("+ping me to" in each.value for each in page.code)
    assert button(page, "Save and put in force").disabled
    settle(press(page, "Make my edits on top of it"))
    press(page, "Save and put in force")
    mine = versions(workbench)[0]
    assert mine.sequence == 2
    with workbench.read() as session:
        text = read_files(session, mine)["words.txt"]
    assert {"ping me to", "holler at me"} <= set(text.splitlines())


def test_what_breaks_something_critical_asks_for_a_reason(workbench: Database) -> None:
    page = open_page(**ADDRESS)
    must = probe_file(["holler at me now and then"], "log.txt", "silent", "tasks", "en")
    page.session_state["policy_must_stay"] = {("tasks", "en"): must}
    settle(page)
    add = next(each for each in page.button if each.key and each.key.startswith("miss-0"))
    add.click().run()
    settle(page)
    assert "must not break" in words(page)
    assert button(page, "Save and put in force").disabled
    page.text_input(key="policy_reason").set_value("the log is old").run()
    press(page, "Save and put in force")
    assert versions(workbench)[0].reason == "the log is old"


def test_an_edit_is_taken_out_and_a_draft_discarded(workbench: Database) -> None:
    page = open_page(view="edit", edit="spelling")
    page.text_input[0].set_value("tmrw")
    page.text_input[1].set_value("tomorrow")
    press(page, "Add")
    assert "Read “tmrw” as “tomorrow”" in words(page)
    press(page, ":material/close:")
    assert "Empty, over " in words(page)
    page.text_input[0].set_value("nxt")
    page.text_input[1].set_value("next")
    press(page, "Add")
    press(page, "Discard")
    assert "Empty, over " in words(page)
    assert versions(workbench) == ()


def test_a_mistake_in_the_text_is_told_with_its_line_and_cannot_go_into_the_draft(workbench: Database) -> None:
    page = open_page(view="edit", edit="text")
    page.selectbox(key="policy_file").set_value("guards.yaml").run()
    page.toggle(key="policy_whole").set_value(True).run()
    good = page.text_area[0].value
    page.text_area[0].set_value(good.replace("- reason: hypothetical", "- reason: nonsense", 1)).run()
    assert "guards.yaml, line" in words(page)
    assert button(page, "Put into the draft").disabled
    page.text_area[0].set_value(good + "# only a comment\n").run()
    press(page, "Put into the draft")
    assert "Write guards" in words(page)


def test_a_line_is_checked_by_itself(workbench: Database) -> None:
    page = open_page(view="edit", edit="text")
    page.selectbox(key="policy_file").set_value("guards.yaml").run()
    line = next(each for each in page.selectbox if each.label == "Line")
    number = next(place for place, told in enumerate(line.options) if told.endswith("- reason: hypothetical"))
    line.select_index(number).run()
    written = next(each for each in page.text_input if each.label == "Text")
    written.set_value("- reason: nonsense").run()
    assert f"guards.yaml, line {number + 1}" in words(page)
    assert button(page, "Put into the draft").disabled
    next(each for each in page.text_input if each.label == "Text").set_value("- reason: negated").run()
    press(page, "Put into the draft")
    assert "+- reason: negated" in page.code[0].value


def test_a_broken_version_and_a_broken_file_are_told(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = "en/guards.yaml, line 2: nonsense"
    told = FilesInForce(load_domain("tasks"), OSError(problem))
    monkeypatch.setattr("ui.policy.head.files_in_force", lambda _domain: told)
    monkeypatch.setattr("ui.policy.head.find_version_problems", lambda _domain: {"en": "it is gone"})
    shown = "\n".join(each.value for each in open_page().error)
    assert "guards\\.yaml, line 2" in shown
    assert "it is gone" in shown


def test_a_version_goes_out_as_a_file_and_comes_back(workbench: Database) -> None:
    version = save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"))
    maya = person(workbench)
    again = import_version(maya, "tasks", "en", export_version(version))
    assert (again.sequence, again.digest, again.author) == (2, version.digest, maya.name)
    assert "+ping me to" in again.diff
    with pytest.raises(EditError, match="not of tasks it"):
        import_version(maya, "tasks", "it", export_version(version))
    with pytest.raises(EditError, match="no exported version"):
        import_version(maya, "tasks", "en", b"not a zip")


def test_a_draft_on_trial_decides_in_this_session(workbench: Database) -> None:
    page = draft_of(open_page(**ADDRESS))
    press(page, "Try it in Chat")
    assert "on trial" in words(page)
    assert f"Say “{HOLLER}” in Chat" in labels(page)
    assert ("tasks", "en") in page.session_state["policy_trials"]
    press(page, "End the trial")
    assert page.session_state["policy_trials"] == {}
    assert f"Say “{HOLLER}” in Chat" not in labels(page)


def test_the_message_that_a_draft_is_made_for_counts_as_fixed_and_not_as_something_besides(
    workbench: Database,
) -> None:
    converse(workbench, (HOLLER,))
    page = settle(open_page(**ADDRESS))
    assert "<span>0 changed</span>" in words(page)
    settle(press(page, "Put into the draft"))
    (does,) = (each for each in page.segmented_control if each.label == "What the draft does")
    assert list(does.options) == ["✓ Fixed 1", "✗ Broken 0", "≠ Changed 0"]
    assert '<span class="tl-chip">this message</span>' in words(page)


def test_versions_are_put_in_force_compared_and_rolled_back(workbench: Database) -> None:
    first = save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"), in_force=True)
    second = save_elsewhere(workbench, AddPhrase("remind_me", "holler at me"), since=1)
    page = open_page(view="versions")
    assert "Bob&#39;s own" in words(page)
    page.button(key=f"all-{second.id}").click().run()
    assert active(workbench) == second
    assert any("+holler at me" in each.value for each in page.code)
    press(page, "Roll back to version 1")
    assert active(workbench) == first
    told = " ".join(words(page).split())
    assert f"UTC: {person(workbench).name} rolled back to it</li>" in told
    assert f"UTC: Bob put it in force, {person(workbench).name} put another in force</li>" in told
    assert f"UTC: {person(workbench).name} put it in force, {person(workbench).name} rolled back</li>" in told
    assert "Try it in Chat" in labels(page)
    assert "Roll back to the project’s files" in labels(page)
    page.button(key="all-files").click().run()
    assert active(workbench) is None
    assert button(page, "Roll back").disabled


def test_what_was_written_stays_while_anothers_change_is_looked_at(workbench: Database) -> None:
    """The note, and the reason where something critical breaks: also where one's own is saved instead."""
    page = open_page(**ADDRESS)
    must = probe_file(["holler at me now and then"], "log.txt", "silent", "tasks", "en")
    page.session_state["policy_must_stay"] = {("tasks", "en"): must}
    settle(page)
    next(each for each in page.button if each.key and each.key.startswith("miss-0")).click().run()
    settle(page)
    assert "It can be saved with a reason" in words(page)
    page.text_input(key="policy_reason").set_value("the log is old").run()
    page.text_input(key="policy_note").set_value("people holler").run()
    save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"))
    press(page, "Save and put in force")
    assert "has saved version 1 since you began" in words(page)
    press(page, "Save mine instead")
    version = versions(workbench)[0]
    assert (version.sequence, version.note, version.reason) == (2, "people holler", "the log is old")


def test_a_draft_with_edits_is_left_for_a_version_only_after_that_was_said(workbench: Database) -> None:
    version = save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"))
    page = open_page(view="edit", edit="spelling")
    page.text_input[0].set_value("tmrw")
    page.text_input[1].set_value("tomorrow")
    press(page, "Add")
    assert "<b>1 edit in the draft</b>" in words(page)
    page.segmented_control(key="view").set_value("versions").run()
    assert "Your draft with 1 edit was not saved" in words(page)
    press(page, f"Begin with version {version.sequence}")
    assert "over version 1" in words(page)  # though it is in force for nobody
    assert "Empty, over " in words(page)
    press(page, "Begin with what is in force")
    assert "over the project’s files" in words(page)
    page.segmented_control(key="view").set_value("versions").run()
    assert "Draft from it" in labels(page)


def test_a_session_ends_its_own_version_where_versions_are_listed(workbench: Database) -> None:
    version = save_elsewhere(workbench, AddPhrase("remind_me", "ping me to"))
    page = open_page(view="versions")
    assert "End this session’s own" not in labels(page)
    page.button(key=f"here-{version.id}").click().run()
    assert active(workbench, page.session_state["policy_scope"]) == version
    press(page, "End this session’s own")
    assert active(workbench, page.session_state["policy_scope"]) is None
    assert "What everybody has decides now in this session" in words(page)


def test_browsing_finds_rules_by_their_words(workbench: Database) -> None:
    page = open_page(view="browse", part="words", q="shout at me")
    (table,) = page.dataframe
    assert "remind_me" in list(table.value["Name"])
    assert "has “xyzzy”" in words(open_page(view="browse", q="xyzzy"))


def test_rules_come_with_what_they_are_worth(workbench: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.policy.worth.load_cases", lambda *_: our_cases()[::4])
    (table,) = settle(open_page(view="browse")).dataframe
    assert {"Fires", "Right", "Alone", "Conflicts"} <= set(table.value.columns)
    assert table.value["Fires"].max() > 10
    (of_deleting,) = settle(open_page(view="browse", cases="delete")).dataframe
    assert 0 < of_deleting.value["Fires"].max() < table.value["Fires"].max()
    (said,) = settle(open_page(view="browse", part="words", cases="delete")).dataframe
    assert {"Fires", "Unsaid"} <= set(said.value.columns)
    assert said.value["Fires"].min() == 0 < said.value["Unsaid"].max()
    (weights,) = settle(open_page(view="browse", part="weights", cases="delete", q="word:delete")).dataframe
    row = dict(
        zip(weights.value["Name"], zip(weights.value["Fires"], weights.value["Right"], strict=True), strict=True)
    )
    fires, right = row["word:delete"]
    assert fires >= right > 0


def test_machines_are_drafted_tried_on_their_cases_saved_and_in_force(workbench: Database) -> None:
    """The words of a domain with a reading of its own, by the same page."""
    page = open_page(domain="machines", view="browse", part="words")
    assert "object_light" in set(page.dataframe[0].value["Name"])
    page = open_page(domain="machines", view="edit")
    page.selectbox[1].set_value("object_light")
    page.text_input[0].set_value("glimmer")
    settle(press(page, "Add"))
    assert "1. “glimmer” counts as a word like “light”" in words(page)
    assert "everything: it is read in a way of its own" in words(page)
    settle(press(page, "Save and put in force"))
    with workbench.read() as session:
        saved = find_active(session, "machines", "en")
    assert saved
    fridge = machine("m", "Fridge", "turn_on_light", "start_defrost")
    context = Context(FleetIndex(MemoryFleet([fridge])), NOW, language="en")
    decided = domain_engine(load_domain("machines")).decide("turn on the glimmer", context)
    assert decided.calls[0].parameters["machine_command_id"] == fridge.commands[0].id
    with workbench.read() as session:
        assert find_by_digest(session, decided.policy_version) == saved
    page = settle(open_page(domain="machines", text="turn on the glimmer", want="run_command"))
    assert "“glimmer” means nothing here" not in words(page)


def test_why_a_machine_message_was_not_read_is_told_and_the_nearest_way_can_be_added(workbench: Database) -> None:
    page = settle(open_page(domain="machines", text="fire up the oven", want="run_command"))
    assert "“fire” means nothing here" in words(page)
    assert "“fire” would have to be “power”" in words(page)
    add = next(each for each in page.button if each.label == "Add" and "“fire up”" in (each.help or ""))
    add.click().run()
    settle(page)
    assert "fire up" in words(page)
    assert "Why not" in words(page)


def test_a_fix_is_suggested_for_a_message_about_machines_and_put_into_the_draft(workbench: Database) -> None:
    page = settle(open_page(domain="machines", text="fire up the oven", want="run_command"))
    assert "Suggested fixes" in words(page)
    assert "breaks no message" in words(page)
    settle(press(page, "Put into the draft"))
    assert "1. A way of asking" in words(page)


def test_weights_are_learned_in_the_background_found_after_a_reload_and_put_into_the_draft(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a few cases, which are all that the draft is tried on, too."""
    chosen = [case for case in our_cases() if case.language == "en" and case.turns[0].say.startswith("finish ")]
    monkeypatch.setattr("ui.policy.learning.load_cases", lambda *_: chosen)
    monkeypatch.setattr("ui.policy.bases._project_messages", lambda domain: probe_cases(domain, chosen))
    monkeypatch.setattr("ui.policy.bases._bases", OrderedDict())  # what other tests of this process have indexed
    page = open_page(view="edit", edit="learn")
    press(page, "Learn the weights")
    page = settle(open_page(view="edit", edit="learn"))
    assert "weights move" in words(page)
    assert "was left out while learning" in words(page)
    settle(press(page, "Put into the draft"))
    assert "weights of" in words(page)
    assert button(page, "Put into the draft").disabled
    may_end = threading.Event()
    monkeypatch.setattr("ui.policy.learning.learn_weights", lambda *_: may_end.wait(SECONDS) and None)
    press(page, "Learn again")
    button(page, "Stop").click().run()
    may_end.set()
    assert "Learn the weights" in labels(settle(page))


def test_for_several_misread_cases_the_edit_that_mends_most_comes_first(
    workbench: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.policy.bases._project_messages", lambda domain: ())
    monkeypatch.setattr("ui.policy.bases._bases", OrderedDict())
    maya = person(workbench)
    with workbench.write() as session:
        for title in ("eat", "sleep"):
            expected = {"intent": "add_task", "action": "execute", "parameters": {"title": title}}
            context = {"tasks": [], "lang": "en", "now": NOW.isoformat()}
            save_case(session, maya.id, f"holler at me to {title}", context, expected)
    page = settle(open_page(view="several"))
    assert "2 of 2 can be mended with nothing broken" in words(page)
    assert "Mends 2 of them" in words(page)
    settle(press(page, "Put into the draft"))
    assert "holler at me" in words(page)
    assert [each.value for each in page.multiselect] == [[]]  # both go right under the draft


def test_what_cannot_be_done_is_said_in_the_form_and_nothing_written_is_lost(workbench: Database) -> None:
    page = open_page(view="edit", edit="pattern")
    press(page, "Add")
    assert "It lacks a name." in words(page)
    field(page, "Name").input("add.holler")
    field(page, "Pattern").input("holler {title")
    press(page, "Add")
    assert "That cannot be done" in words(page)
    assert (field(page, "Name").value, field(page, "Pattern").value) == ("add.holler", "holler {title")
    field(page, "Pattern").input("holler at me {title}")
    press(page, "Add")
    assert "Added: A way of asking for “Add a task”" in words(page)
    assert (field(page, "Name").value, field(page, "Pattern").value) == ("", "")


def test_of_many_mistakes_those_of_the_edited_file_come_first_and_the_rest_is_counted(workbench: Database) -> None:
    page = open_page(view="edit", edit="text")
    page.toggle(key="policy_whole").set_value(True).run()
    field(page, "Text of words.txt", page.text_area).input("[nobody\nfoo").run()
    told = words(page)
    assert told.count("<li><b>") == 8
    assert "more</li>" in told
    assert "en/words.txt, line" in told
    assert "en/acts/redo.yaml" not in told  # it goes by the classes that are gone


def field(page: AppTest, label: str, fields: Any = None) -> Any:
    return next(each for each in fields or page.text_input if each.label == label)
