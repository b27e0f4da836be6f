"""A new thing whose name does not look like one ("in an extra lesson", "the 19th", "has come") is asked about: most
likely words of the request, or of a remark, were taken for it. So is a mere thing, without a verb, a day or a word that
asks for it: "seven bin bags full" is more often told than wanted. And so is what points back: next week nobody knows
what "pick it up" was, so that the thing spoken of is offered in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.decision import Context
from engine.message.asking.pointing_names import DOES, find_pointing, stands_for
from engine.message.judged import acts
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.text.folding import title_words
from engine.values import Provenance, ToolCall

_NO_NOUN = frozenset({"into", "put_particle", "finite"})
_JOINS = frozenset({"connector", "event_tail", "title_tail", "clause_joiner", "earlier_than", "later_than"})
_STARTS = frozenset({"det", "subject", "chore", "errand", "listed_verb"})
_SAYS_LITTLE = frozenset({"light", "telling", "done_word", "settled", "no_word", "yes_word", "function"})


def ask_about_odd_names(
    requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    facts = policy.catalogue.by_effect.get("add")
    if facts is None or not policy.talk.moves:
        return requests
    return tuple(
        _ask(each, facts.argument("name"), context, policy) if each.outcome.intent == facts.intent else each
        for each in requests
    )


def _ask(request: JudgedRequest, name: str, context: Context, policy: Policy) -> JudgedRequest:
    call = request.outcome.call
    if call is None or not acts(request.outcome) or request.utterance.quotes:
        return request  # what stands in quotes is a name, whatever it is
    words = title_words(str(call.parameters.get(name) or ""))
    pointing = find_pointing(words, policy) if context.history else None
    if pointing:
        thing = stands_for(pointing, context, policy)
        if not thing and "pronoun" not in policy.word_classes.get(pointing, ()):
            return request  # "visit her": somebody knows who that is
        named = _with_thing(call, name, pointing, thing) if thing else call
        return request._replace(outcome=offer(request.outcome._replace(call=named), named, context, policy))
    if not words or not (_is_odd(words, policy) or _is_mere_thing(request, words, name, policy)):
        return request
    return request._replace(outcome=offer(request.outcome, call, context, policy))


def _with_thing(call: ToolCall, name: str, pointing: str, thing: str) -> ToolCall:
    said = str(call.parameters[name])
    named = re.sub(rf"\b{re.escape(pointing)}\b", lambda _: thing, said, count=1, flags=re.IGNORECASE)
    kept = Provenance("conversation", None, "what was spoken of")
    arguments = (replace(each, value=named, provenance=kept) if each.name == name else each for each in call.arguments)
    return replace(call, arguments=tuple(arguments))


def _is_mere_thing(request: JudgedRequest, words: tuple[str, ...], name: str, policy: Policy) -> bool:
    call = request.outcome.call
    alone = call is not None and {each.name for each in call.arguments} == {name}
    asked = request.weighed.reading.frames or request.outcome.act != "request"
    does = not policy.word_classes.get(words[0], frozenset()).isdisjoint(DOES)
    whole = len(request.utterance.tokens) <= len(words)  # "we're out of milk" says more than the milk
    return alone and whole and not asked and not does


def _is_odd(words: tuple[str, ...], policy: Policy) -> bool:
    classes = [policy.word_classes.get(word, frozenset()) for word in words]
    first = classes[0]
    if first & _NO_NOUN and not first & {"chore", "errand"}:
        return True
    if first & _JOINS and not first & _STARTS:
        return True
    if len(words) == 1 and first & _SAYS_LITTLE and not first & {"chore", "errand"}:
        return True
    dated = ["date_word" in names or word[0].isdigit() for word, names in zip(words, classes, strict=True)]
    return any(dated) and all(day or word in policy.small_words for day, word in zip(dated, words, strict=True))
