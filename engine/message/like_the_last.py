"""What is called like the last one, of which only what differs is said: "and another for room 6" after "clean room 5",
"the same for Mrs Lane" after "invoice Mr Jones"."""

from __future__ import annotations

import re
from dataclasses import replace

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
    return tuple(_call_like(each, facts.argument("name"), last, policy) if each in added else each for each in requests)


def _call_like(request: JudgedRequest, name: str, last: ToolCall, policy: Policy) -> JudgedRequest:
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
        *(replace(each, provenance=kept) for each in last.arguments if each.name not in given),
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
    other = utterance.text[utterance.tokens[place].start :] if place is not None else ""
    end = other.find(said.split()[-1]) + len(said.split()[-1]) if other and said and said.split()[-1] in other else 0
    if not end:
        return None
    other = other[:end]
    small = [found for found in re.finditer(r"\S+", before) if found.group().casefold() in policy.small_words]
    bare = re.sub(r"^\S+\s+", "", other) if title_words(other)[0] in policy.small_words else other
    shared = [found for found in re.finditer(r"\w+", before) if found.group().casefold() == title_words(bare)[0]]
    if shared:
        return before[: shared[-1].start()] + bare  # "F24 ditta Moretti", "la ditta Sala"
    if small and small[-1].end() < len(before):
        return f"{before[: small[-1].end()]} {bare}"  # "VAT return for Bakers", "water the roses"
    named = _LAST_NAME.search(before)
    if named and bare[:1].isupper():
        return f"{before[: named.start()]} {bare}"
    return f"{before} {utterance.tokens[place - 1].norm} {other}" if place else None


def _after_same_for(utterance: Utterance, policy: Policy) -> int | None:
    """Where the name begins, in a message that begins so."""
    words = tuple(token.norm for token in utterance.tokens)
    first = next((place for place, word in enumerate(words) if word not in policy.splitters), len(words))
    for end in policy.lexicon.ends("cue_same", words, first):
        inside = end > first and "for_whom" in policy.word_classes.get(words[end - 1], ())  # "same for"
        after = end if inside else end + 1
        if after < len(words) and "for_whom" in policy.word_classes.get(words[after - 1], ()):
            return after
    return None
