"""Decisions in plain sentences: what was decided, why, and what each rule is. No streamlit."""

from __future__ import annotations

from engine.decision import Action, Context, Decision, Intent, Reason, Thresholds
from engine.explaining.anatomy import Anatomy
from engine.values import ToolCall
from ui.words import ACTION_WORDS, name_intent

ACTION_NAMES: dict[Action, str] = {action: words.capitalize() for action, words in ACTION_WORDS.items()}
_DOING: dict[Intent, str] = {
    "add_task": "add",
    "list_tasks": "list tasks",
    "update_task": "change",
    "complete_task": "complete",
    "delete_task": "delete",
    "identity_query": "say who you are",
    "unknown": "do nothing",
}
REASON_SENTENCES: dict[Reason, str] = {
    Reason.MATCHED_RULE: "The words fit a way of asking that the policy knows, and it is sure enough to act.",
    Reason.ANSWERED: "The message answers the question that was waiting.",
    Reason.BELOW_THRESHOLD: "It read an intent, but is less sure than it must be to act without asking.",
    Reason.NARROW_MARGIN: "Two readings are too close to each other to choose between.",
    Reason.MISSING_PARAMETER: "Something that the tool needs was not said.",
    Reason.INVALID_PARAMETER: "A value that was said cannot be used as it is.",
    Reason.LEARNED: "Several fit, and the same choice made again and again settles which.",
    Reason.AMBIGUOUS_TARGET: "Several fit the words equally well.",
    Reason.NO_TARGET: "Nothing fits the words well enough.",
    Reason.UNABLE: "What is meant has nothing that does what was asked for.",
    Reason.CONTRADICTION: "Two parts of the request cannot both be meant.",
    Reason.UNCERTAIN_TARGET: "A task fits only by likeness; a likeness may suggest, not act.",
    Reason.DESTRUCTIVE: "Deleting always asks first.",
    Reason.BATCH: "Completing or deleting many tasks at once is answered, not done.",
    Reason.NEGATED: "The message says not to do it.",
    Reason.CANCELLED: "The message takes back what was being asked.",
    Reason.HYPOTHETICAL: "The message supposes something; it does not ask for it.",
    Reason.QUESTION_ABOUT_TOOL: "The message asks how something is done, not to do it.",
    Reason.NOT_ABOUT_TASKS: "Nothing in the words asks for something to be done.",
    Reason.SWITCHED_OFF: "What would have decided is switched off in the settings.",
    Reason.EMPTY: "There are no words in the message.",
    Reason.TOO_LONG: "The message is longer than anything that is read.",
    Reason.MODEL_CALLED: "The model asked for a tool, and the call is sound.",
    Reason.MODEL_REPLIED: "The model answered without a call.",
    Reason.BROKEN_CALL: "The model asked for a call that breaks the catalogue.",
    Reason.UNAVAILABLE: "The model gave no answer.",
}
HOW_WORDS = {
    "id": "named by its id",
    "number": "named by its number",
    "exact": "has exactly this title",
    "partial": "has these words in its title",
    "fuzzy": "looks alike",
    "pronoun": "was talked about last",
    "ordinal": "stood there in the last list",
    "recent": "was touched last",
}
SOURCE_WORDS = {
    "words": "the words",
    "store": "the store",
    "conversation": "the conversation",
    "default": "the default",
    "llm": "the LLM",
    "answer": "the answer",
    "person": "a person",
}
_MARKS = {"^": "the beginning", "$": "the end", "_": "the user's own words"}


def headline(decision: Decision, context: Context) -> str:
    """What was decided, in one line: "Would delete #4 “Renew passport”, after a yes"."""
    waiting = decision.pending.call if decision.pending else None
    if decision.action == "execute":
        return "Will " + " and then ".join(describe_call(call, decision.intent, context) for call in decision.calls)
    if decision.action == "confirm":
        return f"Would {describe_call(decision.calls[0], decision.intent, context)}, after a yes"
    if decision.action == "clarify":
        meant = describe_call(waiting, decision.intent, context) if waiting else _DOING[decision.intent]
        return f"Would {meant}, but has to ask first"
    return "Does nothing, only replies"


def describe_call(call: ToolCall, intent: Intent, context: Context) -> str:
    verb = {"get_user_info": "say who you are", "list_tasks": "list tasks"}.get(call.tool_name)
    verb = verb or call.tool_name.removesuffix("_task") or _DOING[intent]
    verb = "change" if verb == "update" else verb
    values = {name: value for name, value in call.parameters.items() if name not in ("task_identifier", "title")}
    details = ", ".join(f"{name.removeprefix('new_').replace('_', ' ')} {value}" for name, value in values.items())
    return f"{verb}{_about(call, verb, context)}{f' ({details})' if details else ''}"


def _about(call: ToolCall, verb: str, context: Context) -> str:
    task = context.tasks.find_by_id(str(call.parameters.get("task_identifier", "")))
    title = call.parameters.get("title")
    if task:
        return f" #{task.number} “{task.title}”"
    if title:
        return f" “{title}”"
    return "" if verb.endswith(("tasks", "are")) else " a task"


def confidence_words(decision: Decision, thresholds: Thresholds) -> str:
    if decision.confidence is None:
        return "It states no confidence."
    held = "above" if decision.confidence >= thresholds.act else "below"
    if decision.intent == "unknown":
        return f"{decision.confidence:.2f} sure that there is nothing to do."
    return f"{decision.confidence:.2f} sure, {held} the {thresholds.act:.2f} from which it acts by itself."


def read_from(anatomy: Anatomy) -> str:
    """The words that the reading rests on: “mark … as done” reads as “Complete a task”."""
    request = next(iter(anatomy.requests), None)
    lead = next((piece for piece in request.pieces if piece.rule.startswith("lead:")), None) if request else None
    if request is None or lead is None or request.outcome.intent == "unknown":
        return ""
    words = " … ".join(anatomy.text[span.start : span.end] for span in lead.spans)
    frame = lead.rule.partition(":")[2]
    # The frame that fits best may ask for another intent than the one that all the evidence speaks for.
    fits = frame.partition(".")[0] == request.outcome.intent.partition("_")[0]
    return f"“{words}” reads as “{name_intent(request.outcome.intent)}” ({frame})." if fits and words else ""


def describe_rule(rule: str) -> str:
    """A rule's id as something that was seen in the message."""
    kind, _, name = rule.partition(":")
    if kind == "frame":
        return f"fits the way of asking {name}"
    if kind == "lead":
        return f"is read best as {name}"
    if kind in ("word", "object"):
        return f"the word “{name}”" + (" in what it is about" if kind == "object" else "")
    if kind in ("pair", "tags"):
        first, _, second = name.partition(" ")
        follows = f"{_marked(second)} after {_marked(first)}"
        return follows if kind == "pair" else f"{follows}, by their classes"
    if kind == "guard":
        return f"a reason to do nothing: {name.replace('_', ' ')}"
    if kind == "shape":
        return f"the shape: {name.replace('_', ' ')}"
    return rule


def _marked(part: str) -> str:
    return _MARKS.get(part, f"“{part}”")


def short_rule(rule: str) -> str:
    """The same in the few letters that a chart has room for."""
    kind, _, name = rule.partition(":")
    if kind == "frame":
        return f"fits {name}"
    if kind == "lead":
        return f"best as {name}"
    if kind in ("pair", "tags"):
        marks = {"^": "start", "$": "end", "_": "own words"}
        return ", ".join(marks.get(part, f"“{part}”") for part in name.split(" ", 1))
    if kind in ("word", "object"):
        return f"“{name}”"
    return name if kind == "shape" else rule
