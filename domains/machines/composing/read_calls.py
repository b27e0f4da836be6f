"""Calls that only read: `metrics_read`, `device_detail`, `machines_list`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.locating import Located
from domains.machines.composing.parts import (
    Part,
    Scene,
    ask_which,
    choice_key,
    choose_machine,
    list_candidates,
    refuse,
    settle,
    unexplained,
)
from domains.machines.composing.phrasing import label_detail, label_metric, label_on, label_reading, list_metrics, say
from domains.machines.composing.wishes import Wish
from domains.machines.memory_fleet import command_words
from domains.machines.rules import load_rules
from domains.machines.values import Machine
from engine.completing.values import ComposedCall, Suggestion, Why
from engine.completing.worth import factor
from engine.decision import Factor
from engine.text.folding import title_words
from engine.values import Argument, Provenance, ToolCall


def compose_metrics(wish: Wish, located: Located, scene: Scene) -> Part:
    names = tuple(scene.given.get("metrics") or ()) or ((wish.target,) if wish.target else ())
    accepted = [tuple(load_rules()["metrics"].get(name, (name,))) for name in names]
    if wish.target and not any(wish.target in each for each in accepted):
        return _two_metrics(wish.target, names, scene)
    able = located.group
    for each in accepted:
        able = able & scene.fleet.with_metric(each) or able & scene.fleet.with_metric_word(each)
    what = ", ".join(label_metric(name, scene.language) for name in names)
    candidates = list_candidates(located, able, what, f"does not measure {what}", scene)
    if not able:
        return replace(_no_metric(located, what, scene), candidates=candidates)
    part = _one_machine("metrics_read", wish, located, able, bool(names), scene, accepted)
    return replace(part, candidates=candidates)


def _two_metrics(said: str, given: tuple[str, ...], scene: Scene) -> Part:
    labels = [label_metric(name, scene.language) for name in (said, given[0])]
    message = say(scene.language, "contradiction", said=labels[0], given=labels[1])
    return Part("needs_clarification", Why.CONTRADICTION, message, confidence=factor("several"))


def compose_detail(wish: Wish, located: Located, scene: Scene) -> Part:
    unheard = unexplained(wish, scene.marked)
    if unheard and not wish.all_of("details", "states", "objects") and located.mention:
        message = say(scene.language, "no_metric", what=unheard)
        return refuse(Why.NO_METRIC, message)
    candidates = list_candidates(located, located.group, "", "", scene)
    part = _one_machine("device_detail", wish, located, located.group, False, scene, [])
    return replace(part, candidates=candidates)


def _one_machine(
    tool_name: str,
    wish: Wish,
    located: Located,
    able: int,
    implied: bool,
    scene: Scene,
    accepted: list[tuple[str, ...]],
) -> Part:
    key = choice_key(tool_name, " ".join(names[0] for names in accepted), located)
    chosen = choose_machine(located, able, implied, key, scene, reads=True, every=bool(wish.all_of("all")))
    if chosen.count > 1:
        rest = {"metrics": [names[0] for names in accepted]} if accepted else {}
        said = located.said
        name = "several_machines_named" if said else "several_machines"
        why = Why.BATCH if wish.all_of("all") else Why.SEVERAL_MACHINES
        message = say(scene.language, "batch" if why is Why.BATCH else name, count=chosen.count, said=said)
        return replace(ask_which(chosen, tool_name, rest, why, message, scene), choice_key=key)
    machine = chosen.machines[0]
    arguments = [Argument("device_id", machine.id, chosen.provenance)]
    ledger = [Factor(f"machine: {chosen.how}", chosen.confidence, chosen.provenance.span, machine.name)]
    label = label_detail(scene.language)
    if tool_name == "metrics_read":
        found = [_metrics_of(machine, names) for names in accepted]
        if any(len(names) > 1 for names in found):
            return _ask_metric(machine, next(names for names in found if len(names) > 1), scene)
        measured = [names[0] for names in found]
        if measured:
            origin = _metric_origin(wish, scene)
            arguments.append(Argument("metrics", measured, origin))
            ledger.append(Factor("metric", factor("metric_words"), origin.span, ", ".join(measured)))
        hours = _read_hours(wish, scene)
        if hours:
            arguments.append(hours)
        label = label_reading(measured[0] if measured else "", scene.language)
    unheard = unexplained(wish, scene.marked)
    if unheard and not located.mention:
        ledger.append(Factor("words not understood", factor("unexplained"), None, unheard))
    part = settle(tool_name, arguments, ledger, label_on(machine.name, label, scene.language), chosen, scene)
    return replace(part, choice_key=key if chosen.how == "learned" else "")


def _metrics_of(machine: Machine, names: tuple[str, ...]) -> list[str]:
    """The metric of that name; without one, those that have the word in their name."""
    exact = [metric.name for metric in machine.metrics if metric.name in names]
    return exact[:1] or [metric.name for metric in machine.metrics if set(names) & set(command_words(metric.name))]


def _ask_metric(machine: Machine, names: list[str], scene: Scene) -> Part:
    suggestions = tuple(
        Suggestion(
            label_reading(name, scene.language),
            {"device_id": machine.id, "metrics": [name]},
            factor("several"),
            "metrics_read",
        )
        for name in names[: scene.settings.max_suggestions]
    )
    message = say(scene.language, "several_metrics", machine=machine.name)
    return Part(
        "needs_clarification", Why.SEVERAL_METRICS, message, suggestions=suggestions, confidence=factor("several")
    )


def _metric_origin(wish: Wish, scene: Scene) -> Provenance:
    if scene.given.get("metrics"):
        return Provenance("llm", detail="the call")
    mark = next((mark for mark in wish.marks if mark.kind == "metrics" and mark.meaning == wish.target), None)
    if mark is None:  # "what temperature?", which machine?, "is the oven on?": only the machine is said anew
        return Provenance("conversation", detail=f"the {wish.target} of the message before")
    return Provenance("words", scene.marked.span(mark.first, mark.last))


def _read_hours(wish: Wish, scene: Scene) -> Argument | None:
    """ "over the last 12 hours"; without such words the tool's own default holds."""
    if "hours" in scene.given:
        return Argument("hours", scene.given["hours"], Provenance("llm", detail="the call"))
    lexicon = load_lexicon()
    words = [token.norm for token in scene.marked.utterance.tokens]
    for place, word in enumerate(words):
        unit = lexicon.hours.get(word)
        if unit is None or place == 0:
            continue
        number = words[place - 1]
        if number.isdigit() and place > 1 and words[place - 2] in lexicon.sets["hours_before"]:
            hours, first = int(number) * unit, place - 2
        elif number in lexicon.sets["hours_before"]:
            hours, first = unit, place - 1
        else:
            continue
        return Argument("hours", min(max(hours, 1), 720), Provenance("words", scene.marked.span(first, place + 1)))
    return None


def _no_metric(located: Located, what: str, scene: Scene) -> Part:
    if located.group.bit_count() == 1 and located.level != "any":
        machine = scene.fleet.pick(located.group, 1)[0]
        metrics = list_metrics(machine, scene.language)
        return refuse(
            Why.NO_METRIC, say(scene.language, "no_metric_machine", machine=machine.name, what=what, metrics=metrics)
        )
    return refuse(Why.NO_METRIC, say(scene.language, "no_metric", what=what))


def compose_list(wish: Wish, scene: Scene) -> Part:
    """Conditions of the words, where the call gives none: a place, whether they are connected, and how they are."""
    arguments = [Argument(name, value, Provenance("llm", detail="the call")) for name, value in scene.given.items()]
    said = set(scene.given)
    for mention in wish.mentions:
        span = scene.marked.span(mention.first, mention.last)
        place = _place_of(mention.words, scene)
        name, value = ("place", place) if place else ("search", scene.marked.said(mention.first, mention.last))
        if name not in said:
            arguments.append(Argument(name, value, Provenance("words", span)))
            said.add(name)
    arguments += _connection(wish, scene) if "connected" not in said else []
    arguments += _state(wish, scene) if "state" not in said else []
    call = ComposedCall(ToolCall("machines_list", tuple(arguments)), 1.0, scene.before)
    return Part("completed", Why.ONE_WAY, "", call, confidence=1.0, ledger=(Factor("nothing is missing", 1.0),))


def _place_of(words: tuple[str, ...], scene: Scene) -> str:
    """The place as the store spells it, if the words name one in any language."""
    lexicon = load_lexicon()
    names = {words, *lexicon.synonyms.get(words, ())}
    for machine in scene.fleet.machines():
        if machine.place and title_words(machine.place) in names:
            return machine.place
    return ""


def _connection(wish: Wish, scene: Scene) -> list[Argument]:
    """By any word: in "quali sono scollegate?" it is a part of the words that ask for a list."""
    lexicon = load_lexicon()
    negated = any(mark.kind == "negations" for mark in wish.marks)
    for place, token in enumerate(scene.marked.utterance.tokens):
        answer = lexicon.connection.get(token.norm)
        if answer is not None:
            value: Any = answer != negated
            return [Argument("connected", value, Provenance("words", scene.marked.span(place, place + 1)))]
    return []


def _state(wish: Wish, scene: Scene) -> list[Argument]:
    """ "which machines are on?", "which ones have the light off?"; not "list the machines on the first floor"."""
    lexicon, tokens = load_lexicon(), scene.marked.utterance.tokens
    named = {mention.first for mention in wish.mentions}
    for place, token in enumerate(tokens):
        state = lexicon.states.get(token.norm)
        after = tokens[place + 1].norm if place + 1 < len(tokens) else ""
        if state is None or place + 1 in named or after in lexicon.sets["articles"]:
            continue
        negated = any(mark.kind == "negations" for mark in wish.marks)
        part = next((mark.meaning for mark in wish.all_of("objects")), "")
        value = f"{part} {('off' if state == 'on' else 'on') if negated else state}".strip()
        return [Argument("state", value, Provenance("words", scene.marked.span(place, place + 1)))]
    return []
