"""Codes in people's words: drivers, reasons, agreement, provenance, times. No streamlit."""

from __future__ import annotations

from functools import cache

from db.evaluation.verdicts import Lane
from domains.loading import list_domains, load_domain
from engine.completing.values import Why
from engine.decision import Action, Decision, Reason
from engine.domain import UNKNOWN
from engine.explaining.agreement import Kind
from engine.outcome.routing import TOGETHER, Driver
from engine.values import Source

DRIVER_NAMES: dict[Driver, str] = {
    "engine": "Engine",
    "router": "Both, weighed",
    "llm_guarded": "LLM, guarded",
    "llm": "LLM",
}
FORMER_DRIVERS: dict[Driver, str] = {"engine_first": "Engine, then LLM"}
"""Nobody drives so any more; turns of before are shown and filtered by it."""
LANE_NAMES: dict[Lane, str] = {"engine": "Engine", "llm": "LLM"}
DRIVER_DOES: dict[Driver, str] = {
    "engine": "The rules decide; the LLM is only shown beside them.",
    "router": "Where the engine is sure, it acts; otherwise both are weighed, and what only the LLM wants is offered.",
    "llm_guarded": "The LLM proposes, the engine vetoes what nobody asked for.",
    "llm": "The model decides; deleting still asks first.",
}
DRIVER_HELP = "Who acts. " + " ".join(f"**{DRIVER_NAMES[driver]}**: {does}" for driver, does in DRIVER_DOES.items())
WITHOUT_LLM = "The LLM lane is off, so the engine decides alone."
WAITING = "Waiting for the LLM …"


ACTION_WORDS: dict[Action, str] = {
    "execute": "acts",
    "confirm": "asks for a yes",
    "clarify": "asks back",
    "reply": "only replies",
}
REASON_WORDS: dict[Reason, str] = {
    Reason.MATCHED_RULE: "the rules match",
    Reason.ANSWERED: "it answers the open question",
    Reason.BELOW_THRESHOLD: "not sure enough to act",
    Reason.NARROW_MARGIN: "two readings are too close",
    Reason.MISSING_PARAMETER: "something is missing",
    Reason.INVALID_PARAMETER: "a value cannot be used",
    Reason.LEARNED: "you chose it often before",
    Reason.AMBIGUOUS_TARGET: "several fit",
    Reason.NO_TARGET: "none fits",
    Reason.UNABLE: "it cannot do that",
    Reason.CONTRADICTION: "two things that cannot both be meant",
    Reason.UNCERTAIN_TARGET: "a near match may suggest, not act",
    Reason.DESTRUCTIVE: "deleting needs a yes",
    Reason.BATCH: "one at a time",
    Reason.NEGATED: "it says not to",
    Reason.CANCELLED: "it was called off",
    Reason.HYPOTHETICAL: "it is only an “if”",
    Reason.QUESTION_ABOUT_TOOL: "a question about the tool",
    Reason.REMARK: "taken for a remark",
    Reason.NOT_ABOUT_TASKS: "nothing is asked for",
    Reason.SWITCHED_OFF: "switched off",
    Reason.EMPTY: "nothing was said",
    Reason.TOO_LONG: "the message is too long",
    Reason.MODEL_CALLED: "the model called a tool",
    Reason.MODEL_REPLIED: "the model called no tool",
    Reason.BROKEN_CALL: "the call cannot be made",
    Reason.UNAVAILABLE: "no answer",
}
HOW_WORDS = {
    "exact": "named in full",
    "partial": "named in part",
    "fuzzy": "spelt alike",
    "number": "by its number",
    "id": "by its id",
    "pronoun": "spoken of last",
    "ordinal": "by its place in the list",
    "day": "by its day",
    "recent": "the newest",
    "serial": "by its serial number",
    "name": "named in full",
    "keyword": "by a word for it",
    "description": "by its description",
    "conversation": "named in the conversation",
    "only": "the only one there is",
    "any": "one of all",
    "llm": "by the LLM",
    "words": "by your words",
    "store": "in the task list",
    "composer": "completed",
    "default": "by default",
    "answer": "by your answer",
    "learned": "your usual choice",
    "person": "by hand",
    "import": "by the file",
}
"""How a task was found, or where a call that names it has it from; the code itself stands in a hint."""
SOURCE_WORDS: dict[Source, str] = {
    "words": "your words",
    "store": "task list",
    "conversation": "conversation",
    "default": "default",
    "llm": "LLM",
    "composer": "completed",
    "answer": "your answer",
    "learned": "your usual choice",
    "person": "by hand",
    "import": "file",
}
WHY_WORDS: dict[Why, str] = {
    Why.SWITCHED_OFF: "composition is switched off",
    Why.NOTHING_MISSING: "nothing was missing",
    Why.ONE_WAY: "there is exactly one way",
    Why.LEARNED: "your repeated choice settles it",
    Why.SEVERAL_MACHINES: "several machines fit",
    Why.SEVERAL_COMMANDS: "several commands fit",
    Why.SEVERAL_METRICS: "several metrics fit",
    Why.SEVERAL_TASKS: "several tasks fit",
    Why.NO_COMMAND_SAID: "no command was said",
    Why.NO_VALUE_SAID: "the value is missing",
    Why.NOTHING_SAID: "something it needs was not said",
    Why.NOT_SURE_ENOUGH: "one way, but below the threshold",
    Why.CONTRADICTION: "the words and the call are two things",
    Why.BATCH: "one at a time",
    Why.NO_MACHINE: "no machine fits",
    Why.NO_COMMAND: "no machine has that command",
    Why.NO_METRIC: "no machine measures that",
    Why.NO_TASK: "no task fits",
    Why.VALUE_OUT_OF_RANGE: "the value is out of range",
    Why.NEGATED: "it says not to",
    Why.QUESTION: "it asks, the call would act",
    Why.CONDITIONAL: "it is only an “if”",
    Why.LATER: "it is for another time",
    Why.NOT_A_REQUEST: "nothing is asked for",
    Why.UNKNOWN_TOOL: "there is no such tool",
    Why.BROKEN_CALL: "the call cannot be read",
    Why.EMPTY: "nothing was said",
}
_AGREEMENT: dict[Kind, tuple[str, str]] = {
    "agree": ("agree", "✓ Agree"),
    "differ": ("differ", "≠ Differ"),
    "first_silent": ("silent", "○ Engine calls nothing"),
    "second_silent": ("silent", "○ LLM calls nothing"),
    "both_silent": ("agree", "✓ Neither calls a tool"),
}


def label_intents(domain: str) -> dict[str, str]:
    """The intents of one domain, in its order; that of nothing last."""
    return {**{facts.intent: facts.label for facts in load_domain(domain).catalogue.tools}, UNKNOWN: "Nothing to do"}


@cache
def find_intent_labels() -> dict[str, str]:
    return {intent: label for domain in list_domains() for intent, label in label_intents(domain).items()}


def find_overruled(decision: Decision) -> str:
    """The intent that the words alone ask for, where the message was found to tell something only: the confidence is
    of that one. Empty: it is of what was decided."""
    if decision.reason is not Reason.REMARK or not decision.scores:
        return ""
    best = max(decision.scores, key=lambda score: score.score)
    return best.intent if best.intent != UNKNOWN and best.score >= _MORE_LIKELY_THAN_NOT else ""


_MORE_LIKELY_THAN_NOT = 0.5


def name_intent(intent: str) -> str:
    """As it is recorded, or stands in a case."""
    return find_intent_labels().get(intent, intent)


def say_intent(intent: str) -> str:
    """As what somebody wants: "complete a task"."""
    found = (load_domain(domain).catalogue.by_intent.get(intent) for domain in list_domains())
    facts = next((each for each in found if each), None)
    label = name_intent(intent)
    return facts.doing if facts and facts.doing else label[:1].lower() + label[1:]


def name_one(domain: str) -> str:
    """One of the things of a domain: "task", "machine"."""
    return load_domain(domain).thing


@cache
def name_language(language: str) -> str:
    """ "English" for `en`, as the first domain that speaks it says."""
    found = (load_domain(domain).policies.get(language) for domain in list_domains())
    return next((policy.name for policy in found if policy and policy.name), language)


def name_action(action: object) -> str:
    """As it is recorded."""
    return {str(key): words for key, words in ACTION_WORDS.items()}.get(str(action), str(action))


def name_how(how: str) -> str:
    """How a task was found, as it is recorded."""
    return HOW_WORDS.get(how, how.replace("_", " "))


def find_lane_name(lane: str | None) -> str:
    """As it is recorded; empty for none."""
    return {str(key): name for key, name in LANE_NAMES.items()}.get(lane or "", "")


def name_driver(driver: str) -> str:
    """As it is recorded."""
    return {str(key): name for key, name in (DRIVER_NAMES | FORMER_DRIVERS).items()}.get(driver, driver)


def describe_agreement(kind: Kind) -> tuple[str, str]:
    """The mark's name and its label, which says the same without the colour."""
    return _AGREEMENT[kind]


def format_ms(milliseconds: float | None) -> str:
    if milliseconds is None:
        return ""
    if milliseconds < 0.05:
        return "< 0.1 ms"
    if milliseconds < 10:
        return f"{milliseconds:.1f} ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def format_cost(cost: float | None) -> str:
    """Dollars with as many digits as it takes to tell two turns apart."""
    if cost is None or cost == 0:
        return "" if cost is None else "no cost"
    return f"${cost:.4f}" if cost >= 0.0001 else f"${cost:.1e}"


def say_undone(driver: str) -> str:
    """Of a turn that waits for the LLM."""
    who = "Both lanes are weighed" if driver in TOGETHER else "The LLM drives"
    return f"{who}; nothing is done yet."
