"""One way in for every incomplete call, whatever its domain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domains.catalogues import find_domain_of, load_all_domains, load_all_tools
from domains.loading import load_domain
from engine.completing.complete import complete_call
from engine.completing.means import make_means, say_completing
from engine.completing.sanitise import sanitise
from engine.completing.values import ComposedCall, Composition, Request, Why
from engine.decision import Language, Step
from engine.domain import Domain
from engine.outcome.replies import say
from engine.text.language import SmallWords, detect_language, find_language
from engine.text.normalise import is_long
from engine.values import ToolCall, make_call

_HEARD = 1000
"""Characters that tell the language."""
MOST_WORDS = 150
"""Of a message that a call is completed from: longer ones are told so, before they take any time."""


def compose(request: Request) -> Composition:
    """Pure: the same request gives an equal answer, and nothing is run."""
    language = read_language(request)
    if not request.settings.enabled:
        return _pass_through(request, language)
    tool = load_all_tools().get(request.tool_name or "")
    if request.tool_name is not None and tool is None:
        return _refuse(Why.UNKNOWN_TOOL, request, language, said=request.tool_name[:80])
    given, dropped = sanitise(request.arguments, tool) if tool else ({}, ())
    if not request.text.strip() and not given:
        return _refuse(Why.EMPTY, request, language)
    if is_long(request.text, MOST_WORDS):
        return _too_long(request, language)
    about = _find_domain(request)
    composed = _complete(about, request, given, language) if about else _complete_words(request, given, language)
    if not dropped:
        return composed
    return replace(composed, steps=(Step("sanitised", "; ".join(dropped)), *composed.steps))


def _find_domain(request: Request) -> Domain | None:
    """That of the tool that was called, or the one that the words are said to be about."""
    if request.tool_name:
        return find_domain_of(request.tool_name)
    return load_domain(request.domain) if request.domain else None


def _complete(domain: Domain, request: Request, given: dict[str, Any], language: Language) -> Composition:
    known = _known_in(domain, language)
    if domain.conduct:
        return domain.conduct.complete(request, given, known)
    return complete_call(request, given, known, make_means(domain, known))


def _known_in(domain: Domain, language: Language) -> Language:
    """A language of the domain: the one spoken, or its first."""
    return language if language in domain.languages else domain.languages[0]


def _complete_words(request: Request, given: dict[str, Any], language: Language) -> Composition:
    """No tool was called: domains with a reading of their own are asked first, if they have anything in reach, and
    what is none of theirs is about the first domain."""
    own = [each for each in load_all_domains() if each.conduct and (request.fleet or request.tasks is None)]
    heard = [_complete(each, request, given, language) for each in own]
    clear = next((each for each in heard if each.why is not Why.NOT_A_REQUEST), None)
    if clear or (heard and request.tasks is None):
        return clear or heard[0]
    common = _complete(load_domain(), request, given, language)
    return heard[0] if heard and common.why is Why.NOT_A_REQUEST else common


def read_language(request: Request) -> Language:
    """The language told; else that of the small words; else, for "temperatura?", that of a domain's own words."""
    if request.language:
        return request.language
    about = _find_domain(request)
    small: dict[Language, SmallWords] = {}
    for domain in [about] if about else load_all_domains():
        small = {**domain.small_words, **small}
    if find_language(request.text, small) is None:
        conducts = [each.conduct for each in load_all_domains() if each.conduct]
        heard = next((found for each in conducts if (found := each.hear_language(request.text[:_HEARD]))), None)
        if heard in small:
            return heard
    return detect_language(request.text, request.context, small)


def _refuse(why: Why, request: Request, language: Language, **values: object) -> Composition:
    return Composition("failed", why, _say(why, request, language, **values), language=language)


def _too_long(request: Request, language: Language) -> Composition:
    domain = _find_domain(request) or load_domain()
    message = say(domain.policies[_known_in(domain, language)], "too_many_words", limit=MOST_WORDS)
    return Composition("failed", Why.NOT_A_REQUEST, message, language=language)


def _say(why: Why, request: Request, language: Language, **values: object) -> str:
    domain = _find_domain(request) or next(each for each in load_all_domains() if language in each.languages)
    return say_completing(domain.policies[_known_in(domain, language)], str(why), **values)


def _pass_through(request: Request, language: Language) -> Composition:
    message = _say(Why.SWITCHED_OFF, request, language)
    if request.tool_name is None:
        return Composition("failed", Why.SWITCHED_OFF, message, language=language)
    call: ToolCall = make_call(request.tool_name, dict(request.arguments), "llm")
    composed = ComposedCall(call, 1.0, dict(request.arguments))
    return Composition("completed", Why.SWITCHED_OFF, message, (composed,), confidence=1.0, language=language)
