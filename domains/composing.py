"""One way in for every incomplete call, whatever its domain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domains.catalogues import load_all_tools
from domains.loading import load_domain
from domains.machines.composing.compose import compose_machines
from domains.machines.composing.lexicon import load_lexicon, read_words
from domains.machines.composing.phrasing import say
from domains.tasks.completing import load_means
from engine.completing.complete import complete_call
from engine.completing.sanitise import sanitise
from engine.completing.values import ComposedCall, Composition, Request, Why
from engine.decision import Language, Step
from engine.text.language import detect_language, find_language
from engine.values import ToolCall, make_call


def compose(request: Request) -> Composition:
    """Pure: the same request gives an equal answer, and nothing is run."""
    language = read_language(request)
    if not request.settings.enabled:
        return _pass_through(request, language)
    tool = load_all_tools().get(request.tool_name or "")
    if request.tool_name is not None and tool is None:
        shown = request.tool_name[:80]
        return Composition("failed", Why.UNKNOWN_TOOL, say(language, "unknown_tool", said=shown), language=language)
    given, dropped = sanitise(request.arguments, tool) if tool else ({}, ())
    if not request.text.strip() and not given:
        return Composition("failed", Why.EMPTY, say(language, "empty"), language=language)
    composed = _compose(request, given, language)
    if not dropped:
        return composed
    return replace(composed, steps=(Step("sanitised", "; ".join(dropped)), *composed.steps))


def _compose(request: Request, given: dict[str, Any], language: Language) -> Composition:
    means = load_means(language)
    if request.tool_name in means.catalogue.by_name:
        return complete_call(request, given, language, means)
    if request.tool_name is not None or request.tasks is None:
        return compose_machines(request, given, language)
    # No tool was called: the machines are asked first, if there are any, and what is none of theirs is about tasks.
    about_machines = compose_machines(request, given, language) if request.fleet else None
    if about_machines and about_machines.why is not Why.NOT_A_REQUEST:
        return about_machines
    about_tasks = complete_call(request, given, language, means)
    return about_machines if about_machines and about_tasks.why is Why.NOT_A_REQUEST else about_tasks


def read_language(request: Request) -> Language:
    """The language told; else that of the small words; else, for "temperatura?", that of the hints."""
    if request.language:
        return request.language
    if find_language(request.text, load_domain("tasks").small_words) is None:
        known = load_lexicon().only_in
        hinted = [known[token.norm] for token in read_words(request.text).tokens if token.norm in known]
        if hinted:
            return max(set(hinted), key=hinted.count)
    return detect_language(request.text, request.context, load_domain("tasks").small_words)


def _pass_through(request: Request, language: Language) -> Composition:
    message = say(language, "switched_off")
    if request.tool_name is None:
        return Composition("failed", Why.SWITCHED_OFF, message, language=language)
    call: ToolCall = make_call(request.tool_name, dict(request.arguments), "llm")
    composed = ComposedCall(call, 1.0, dict(request.arguments))
    return Composition("completed", Why.SWITCHED_OFF, message, (composed,), confidence=1.0, language=language)
