"""What is called like the last one, of which only what differs is said: "and another for room 6" after "clean room 5",
"the same for Mrs Lane" after "invoice Mr Jones"."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.decision import Context
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.talking.situation import read_situation
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import Provenance, ToolCall

_NUMBERED = re.compile(r"(?:^|\s)([^\W\d]+)\s+(\d+\w?)$")
_LAST_NAME = re.compile(r"(?:\s+[^\W\d_a-z]\w*\.?)+$")


def called_like_the_last(
    requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """What is added in going on, called like what was added last with what is said anew."""
    facts = policy.catalogue.by_effect.get("add")
    added = [each for each in requests if facts and each.outcome.call and each.outcome.intent == facts.intent]
    situation = read_situation(context, policy) if added else None
    if facts is None or situation is None or situation.effect != "add" or not situation.calls:
        return requests  # most messages
    last = situation.calls[-1]
    return tuple(_call_like(each, facts, last, policy) if each in added else each for each in requests)


def _call_like(request: JudgedRequest, facts: ToolFacts, last: ToolCall, policy: Policy) -> JudgedRequest:
    name, shared = facts.argument("name"), {facts.argument("date"), facts.argument("level")}
    call, before = request.outcome.call, str(last.parameters.get(name) or "")
    if call is None or not before:
        return request
    said = str(call.parameters.get(name) or "")
    title = _renumbered(said, before) if request.outcome.act == "continue" else None
    title = title or _for_another(request.utterance, said, before, policy)
    if not title:
        return request
    kept = Provenance("conversation", None, "called like the one before")
    given = {each.name for each in call.arguments}
    arguments = (
        *(replace(each, value=title, provenance=kept) if each.name == name else each for each in call.arguments),
        *(replace(each, provenance=kept) for each in last.arguments if each.name in shared - given),
    )
    return request._replace(outcome=request.outcome._replace(call=ToolCall(call.tool_name, arguments)))


def _renumbered(said: str, before: str) -> str | None:
    numbered = _NUMBERED.search(said)
    if numbered is None:
        return None
    called, number = numbered.groups()
    others = re.compile(rf"\b({re.escape(called)}\s+)\d+\w?\b", re.IGNORECASE)
    return others.sub(lambda found: found.group(1) + number, before) if len(others.findall(before)) == 1 else None


def _for_another(utterance: Utterance, said: str, before: str, policy: Policy) -> str | None:
    """ "the same for Mrs Lane": her in the place of him, whom the last one was for."""
    place = _after_same_for(utterance, policy)
    other = _up_to_the_end_of(said, utterance.text[utterance.tokens[place].start :]) if place else ""
    words = title_words(other)
    if place is None or not words:
        return None
    bare = other.partition(" ")[2] if words[0] in policy.small_words and len(words) > 1 else other
    kept = _without_whom(before, bare, policy)
    return f"{kept}{bare}" if kept else f"{before} {utterance.tokens[place - 1].norm} {other}"


def _up_to_the_end_of(name: str, text: str) -> str:
    """What is said without the day after it: the name that was heard ends where this does."""
    last = name.split()[-1] if name else ""
    return text[: text.find(last) + len(last)] if last and last in text else ""


def _without_whom(before: str, other: str, policy: Policy) -> str | None:
    """The last name up to where the other one goes; None where it does not say for whom it was."""
    first = title_words(other)[:1]
    shared = [found for found in re.finditer(r"\w+", before) if (found.group().casefold(),) == first]
    if shared:
        return before[: shared[-1].start()]  # "F24 ditta Moretti", "la ditta Sala"
    small = [found for found in re.finditer(r"\S+", before) if found.group().casefold() in policy.small_words]
    if small and small[-1].end() < len(before):
        return f"{before[: small[-1].end()]} "  # "VAT return for Bakers", "water the roses"
    named = _LAST_NAME.search(before)
    return f"{before[: named.start()]} " if named and other[:1].isupper() else None


def _after_same_for(utterance: Utterance, policy: Policy) -> int | None:
    """Where the name begins, in a message that begins so."""
    words = utterance.words
    first = next((place for place, word in enumerate(words) if word not in policy.splitters), len(words))
    for end in policy.lexicon.ends("cue_same", words, first):
        inside = end > first and "for_whom" in policy.word_classes.get(words[end - 1], ())  # "same for"
        after = end if inside else end + 1
        if after < len(words) and "for_whom" in policy.word_classes.get(words[after - 1], ()):
            return after
    return None
