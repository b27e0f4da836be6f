"""Something new that is said together with a note of its own."""

from __future__ import annotations

from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.talking.moves.noticed import Noticed


def adding_intents(policy: Policy) -> tuple[str, ...]:
    return tuple([tool.intent for tool in policy.catalogue.tools if tool.effect == "add"])


def adds_with_note(judged: Outcome, noticed: Noticed) -> bool:
    """ "add the drinks on Friday, note: six bottles": the words alone take all of it for the name."""
    note = next((last for name, _, last in noticed.cues if name == "note"), None)
    if _names_note(judged, noticed):
        return True
    if note is None or judged.intent not in adding_intents(noticed.told.policy) or judged.call is None:
        return False
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    facts = noticed.told.policy.catalogue.by_intent[judged.intent]
    unread = facts.argument("note") not in judged.call.parameters
    return unread and note < len(tokens) and ":" in text[tokens[note - 1].end : tokens[note].start]


def _names_note(judged: Outcome, noticed: Noticed) -> bool:
    """ "add a note to the council: …" with such a task in the store: the note is no thing to do."""
    span = next(
        (slot.span for slot in judged.slots if judged.call and slot.value == judged.call.parameters.get(slot.name)),
        None,
    )
    spans = [noticed.utterance.span(first, last) for name, first, last in noticed.cues if name == "note"]
    named = any(each.named for each in noticed.mentioned)
    return named and span is not None and any(each.start <= span.start + _ARTICLE for each in spans)


_ARTICLE = 5
"""Letters before the word for a note: "a note", "una nota"."""
