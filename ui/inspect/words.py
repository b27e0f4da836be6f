"""Decisions in plain sentences: what was decided, why, and what each rule is. No streamlit."""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN
from engine.decision import Action, Decision, Reason, Thresholds
from engine.explaining.anatomy import Anatomy, EvidencePiece, RequestAnatomy
from ui.words import ACTION_WORDS, find_overruled, name_intent

ACTION_NAMES: dict[Action, str] = {action: words.capitalize() for action, words in ACTION_WORDS.items()}
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
    Reason.UNCERTAIN_TARGET: "Something fits only by likeness; a likeness may suggest, not act.",
    Reason.DESTRUCTIVE: "What takes something away always asks first.",
    Reason.BATCH: "Doing it to many at once is answered, not done.",
    Reason.NEGATED: "The message says not to do it.",
    Reason.CANCELLED: "The message takes back what was being asked.",
    Reason.HYPOTHETICAL: "The message supposes something; it does not ask for it.",
    Reason.QUESTION_ABOUT_TOOL: "The message asks how something is done, not to do it.",
    Reason.REMARK: "The words might ask for something, but only tell something.",
    Reason.NOT_ABOUT_TASKS: "Nothing in the words asks for something to be done.",
    Reason.SWITCHED_OFF: "What would have decided is switched off in the settings.",
    Reason.EMPTY: "There are no words in the message.",
    Reason.TOO_LONG: "The message is longer than anything that is read.",
    Reason.MODEL_CALLED: "The model asked for a tool, and the call is sound.",
    Reason.MODEL_REPLIED: "The model answered without a call.",
    Reason.BROKEN_CALL: "The model asked for a call that breaks the catalogue.",
    Reason.UNAVAILABLE: "The model gave no answer.",
}


def confidence_words(decision: Decision, thresholds: Thresholds) -> str:
    if decision.confidence is None:
        return "It states no confidence."
    held = "above" if decision.confidence >= thresholds.act else "below"
    if decision.intent == UNKNOWN and not decision.confidence:
        return ""
    overruled = find_overruled(decision)
    if overruled:
        return f"By its words alone {decision.confidence:.2f} sure of “{name_intent(overruled)}”, but it only tells."
    if decision.intent == UNKNOWN:
        return f"{decision.confidence:.2f} sure that there is nothing to do."
    return f"{decision.confidence:.2f} sure, {held} the {thresholds.act:.2f} from which it acts by itself."


def read_from(anatomy: Anatomy) -> str:
    """The words that the reading rests on: “mark … as done” reads as “Complete a task”."""
    request = next(iter(anatomy.requests), None)
    lead = next((piece for piece in request.pieces if piece.rule.startswith("lead:")), None) if request else None
    if request is None or request.outcome.intent == UNKNOWN or not (lead or _counted(request)):
        return ""
    if lead is None:
        said = " … ".join(f"“{anatomy.text[each.span.start : each.span.end]}”" for each in _counted(request))
        return f"Read as “{name_intent(request.outcome.intent)}” by {said}."
    words = " … ".join(anatomy.text[span.start : span.end] for span in lead.spans)
    frame = lead.rule.partition(":")[2]
    # The frame that fits best may ask for another intent than the one that all the evidence speaks for.
    fits = frame.partition(".")[0] == request.outcome.intent.partition("_")[0]
    return f"“{words}” reads as “{name_intent(request.outcome.intent)}”." if fits and words else ""


def _counted(request: RequestAnatomy) -> list[EvidencePiece]:
    """The words that speak for what was read, where each has a meaning of its own."""
    return [piece for piece in request.pieces if piece.seen and request.pull(piece) > 0]
