"""Whatever the router has learned: what a guard speaks against is never done, what only the LLM wants is offered."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import datetime

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.decision import Context, Decision, Message, Reason
from engine.outcome.lane_evidence import agreement_of, notice_both, notice_engine, standing_of_engine
from engine.outcome.router import ROUTER, LearnedRouter, Likelihood, RouterWeights
from engine.outcome.routes import ROUTE_SENTENCES, Route
from engine.outcome.routing import ask_first, route
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, ToolCall, make_call

CATALOGUE = load_domain().catalogue
TASKS = (Task("a", 1, "Buy milk"), Task("b", 2, "Call the dentist"))
CONTEXT = Context(MemoryIndex(TASKS), datetime(2026, 3, 2, 9), language="en")  # noqa: DTZ001 - a wall clock
SURE, NEVER = Likelihood(30.0, {}), Likelihood(-30.0, {})
EVERY_BELIEF = [
    LearnedRouter(RouterWeights(alone, engine, llm, 0.5, 0.8, 0.4, 0.5, 0.2, 0.2))
    for alone, engine, llm in itertools.product((SURE, NEVER), repeat=3)
]


def read(text: str) -> Decision:
    return make_engine().decide(text, CONTEXT)


def wants(*calls: ToolCall, confidence: float | None = None) -> Decision:
    reason = Reason.MODEL_CALLED if calls else Reason.MODEL_REPLIED
    intent = CATALOGUE.intent_of(calls[0].tool_name) if calls else "unknown"
    return Decision("llm", "execute" if calls else "reply", intent, reason, calls=calls, confidence=confidence)


ADD = make_call("add_task", {"title": "oat milk"}, "llm")
DONE = make_call("complete_task", {"task_identifier": "a"}, "llm")
RENAME = make_call("update_task", {"task_identifier": "a", "new_title": "x"}, "llm")
CHANGES = (ADD, DONE, make_call("update_task", {"task_identifier": "b", "new_title": "x"}, "llm"))


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
@pytest.mark.parametrize("call", CHANGES)
@pytest.mark.parametrize("text", ["don't complete buy milk", "how do I complete a task?", "delete all my tasks"])
def test_a_guard_is_never_outvoted(router: LearnedRouter, call: ToolCall, text: str) -> None:
    engine = read(text)
    assert standing_of_engine(engine) == "guards"
    assert router.acts_at_once(engine, CATALOGUE)
    assert router.choose(engine, wants(call, confidence=1.0), CATALOGUE)[:2] == ("engine", Route.GUARDED)


_TALKED = (Message("user", "…"), Message("assistant", "…", ("b",), (RENAME,)))
"""Right after a change, a day alone would move what was changed."""


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
@pytest.mark.parametrize("call", CHANGES)
@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "tomorrow will be better"),
        ("en", "that's all for today"),
        ("en", "rang the dentist, voicemail"),
        ("en", "finally friday"),
        ("it", "domani andrà meglio"),
        ("it", "finalmente venerdì!"),
        ("it", "ho chiamato il dentista ma non risponde"),
    ],
)
def test_a_change_that_only_the_llm_wants_is_never_offered_on_a_remark(
    router: LearnedRouter, call: ToolCall, language: str, text: str
) -> None:
    tasks = (TASKS[0], Task("b", 2, "Call the dentist" if language == "en" else "Chiamare il dentista"))
    context = replace(CONTEXT, tasks=MemoryIndex(tasks), history=_TALKED, language=language)
    engine = make_engine().decide(text, context)
    assert engine.reason is Reason.REMARK
    assert engine.ledger[-1].name.startswith("taken for a remark: ")
    assert router.acts_at_once(engine, CATALOGUE)
    assert router.choose(engine, wants(call, confidence=1.0), CATALOGUE)[:2] == ("engine", Route.GUARDED)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "I am not sure that you asked for this. Shall I change 'Call the dentist', due Sat 7 Mar at 18:00?"),
        (
            "it",
            "Non sono sicuro che tu me l'abbia chiesto. "
            "Vuoi che io cambi 'Call the dentist', per sab 7 mar alle 18:00?",
        ),
    ],
)
def test_what_only_the_llm_wants_is_a_question_that_tells_what_would_be_done(language: str, question: str) -> None:
    policy, context = load_domain().policies[language], replace(CONTEXT, language=language)
    call = make_call("update_task", {"task_identifier": "b", "new_due_date": "2026-03-07T18:00"}, "llm")
    asked = ask_first(wants(call), policy, "unasked_change", context)
    assert (asked.action, asked.message) == ("confirm", question)
    assert asked.pending
    assert (asked.pending.question, asked.pending.call) == (question, call)


def test_a_note_is_kept_where_something_is_asked_first() -> None:
    engine = make_engine().decide("add water the plants every Monday", CONTEXT)
    asked = ask_first(engine, load_domain().policies["en"], "doubted", CONTEXT)
    (note,) = (each.text for each in engine.sentences if each.kind == "note")
    assert asked.message.startswith(f"{note} I am not quite sure what you mean. Shall I add 'water the plants'")


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
@pytest.mark.parametrize("call", CHANGES)
@pytest.mark.parametrize("text", ["nice weather today", "what a lovely morning", "hello there"])
def test_a_change_on_small_talk_is_offered_at_most(router: LearnedRouter, call: ToolCall, text: str) -> None:
    chosen = router.choose(read(text), wants(call, confidence=1.0), CATALOGUE)
    assert chosen.kind in ("engine", "llm_offered")


@pytest.mark.parametrize("router", EVERY_BELIEF)
def test_what_the_words_do_not_speak_for_is_not_done_by_the_llm_alone(router: LearnedRouter) -> None:
    """They ask to complete something; the model wants to add something."""
    chosen = router.choose(read("complete the thing"), wants(ADD, confidence=1.0), CATALOGUE)
    assert chosen.kind in ("engine", "llm_offered")


@pytest.mark.parametrize("router", EVERY_BELIEF)
def test_nothing_is_taken_back_that_only_the_llm_wants_back(router: LearnedRouter) -> None:
    back = replace(wants(), action="execute", act="undo")
    assert router.choose(read("nice weather today"), back, CATALOGUE).kind == "engine"


def test_both_silent_is_silence() -> None:
    assert ROUTER.choose(read("nice weather today"), wants(), CATALOGUE)[:2] == ("engine", Route.LLM_NO_HELP)


@pytest.mark.parametrize(("engine", "rule"), [(SURE, Route.ENGINE_LIKELIER), (NEVER, Route.NOT_ASKED)])
def test_the_engine_asks_about_what_is_likely(engine: Likelihood, rule: Route) -> None:
    router = LearnedRouter(RouterWeights(SURE, engine, SURE, 0.5, 0.8, 0.4, 0.5, 0.2, 0.2))
    asking = read("pottery class thursday")
    assert standing_of_engine(asking) == "offers"
    assert router.choose(asking, wants(), CATALOGUE).rule is rule


def test_a_sure_engine_does_not_wait() -> None:
    assert ROUTER.acts_at_once(replace(read("mark buy milk as done"), confidence=0.995), CATALOGUE)
    assert not ROUTER.acts_at_once(read("nice weather today"), CATALOGUE)


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
def test_a_change_in_doubt_waits_for_the_llm_however_sure_the_engine_is(router: LearnedRouter) -> None:
    sure = replace(read("mark buy milk as done"), confidence=0.995)
    assert router.acts_at_once(replace(sure, doubt=0.01), CATALOGUE)
    assert not router.acts_at_once(replace(sure, doubt=0.1), CATALOGUE)


def test_a_list_that_the_engine_doubts_gives_way_to_what_the_llm_offers() -> None:
    router = LearnedRouter(RouterWeights(NEVER, NEVER, SURE, 0.5, 0.8, 0.4, 0.5, 0.2, 0.2))
    shows = replace(read("show my tasks"), confidence=0.8)
    assert not router.acts_at_once(shows, CATALOGUE)
    assert router.choose(shows, wants(ADD), CATALOGUE)[:2] == ("llm_offered", Route.LANES_DIFFER)
    assert router.choose(shows, wants(), CATALOGUE)[:2] == ("engine", Route.ENGINE_LIKELIER)


@pytest.mark.parametrize(
    ("text", "call", "found"),
    [
        ("mark buy milk as done", DONE, "same"),
        ("mark call the dentist as done", DONE, "kind"),
        ("rename buy milk to buy oats", RENAME, "alike"),
        ("mark buy milk as done", ADD, "other"),
        ("nice weather today", DONE, "only the LLM"),
    ],
)  # fmt: skip
def test_how_far_two_decisions_agree(text: str, call: ToolCall, found: str) -> None:
    assert agreement_of(read(text), wants(call), CATALOGUE) == found


def test_what_is_noticed_names_no_tool_and_no_intent() -> None:
    noticed = {*notice_engine(read("add eggs"), CATALOGUE), *notice_both(read("add eggs"), wants(DONE), CATALOGUE)}
    named = {*CATALOGUE.by_name, *CATALOGUE.by_intent}
    assert not [name for name in noticed if any(each in name for each in named)]


def test_words_that_a_model_made_up_are_noticed() -> None:
    made_up = notice_both(read("hello"), wants(ADD), CATALOGUE)
    assert made_up["llm words not said"] == 1.0


def test_every_route_has_a_sentence() -> None:
    assert set(ROUTE_SENTENCES) == set(Route)


def test_small_talk_is_no_reason_to_ask_the_same_once_more() -> None:
    """Beliefs under which whatever the LLM wants is offered."""
    router = LearnedRouter(RouterWeights(NEVER, NEVER, SURE, 0.5, 2.0, 0.4, 0.5, 0.2, 0.2))
    small_talk, policy = read("what a lovely morning"), load_domain().policies["en"]
    first = route("router", small_talk, wants(RENAME), policy, CONTEXT, router)
    assert (first.route, first.decision.action) == (Route.ONLY_LLM, "confirm")
    asked = replace(CONTEXT, pending=first.decision.pending)
    again = route("router", small_talk, wants(RENAME), policy, asked, router)
    assert (again.route, again.decision.action) == (Route.NOT_LIKELY, "reply")
    other = route("router", small_talk, wants(DONE), policy, asked, router)
    assert other.decision.action == "confirm"


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
def test_which_of_several_is_asked_although_the_llm_would_take_another_one(router: LearnedRouter) -> None:
    tasks = (Task("a", 1, "Call Anna"), Task("b", 2, "Call the bank"), Task("c", 3, "Book the flight"))
    engine = make_engine().decide("delete the call", replace(CONTEXT, tasks=MemoryIndex(tasks)))
    assert engine.reason is Reason.AMBIGUOUS_TARGET
    other = make_call("delete_task", {"task_identifier": "c"}, "llm")
    assert router.choose(engine, wants(other, confidence=1.0), CATALOGUE)[:2] == ("engine", Route.ENGINE_LIKELIER)


@pytest.mark.parametrize("router", [*EVERY_BELIEF, ROUTER])
def test_nothing_is_removed_that_is_not_called_so_although_the_llm_would(router: LearnedRouter) -> None:
    engine = read("delete call mum")
    assert engine.reason is Reason.NO_TARGET
    other = make_call("delete_task", {"task_identifier": "b"}, "llm")
    assert router.choose(engine, wants(other, confidence=1.0), CATALOGUE)[:2] == ("engine", Route.ENGINE_LIKELIER)
