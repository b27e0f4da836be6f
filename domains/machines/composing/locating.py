"""Which machines a wish may mean, and on what that rests: the call, the words, the conversation, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.marking import mark_words
from domains.machines.composing.marks import Marked
from domains.machines.composing.mentions import Mention, find_mentions, resolve_name
from domains.machines.composing.wishes import Wish
from domains.machines.memory_fleet import Group, MemoryFleet
from domains.machines.rules import load_rules
from engine.completing.values import Level, Why
from engine.decision import Message
from engine.values import Provenance


@dataclass(frozen=True, slots=True)
class Located:
    """The machines in question. `problem` is set where the words name something that is not there."""

    group: Group
    level: Level
    provenance: Provenance
    mention: Mention | None = None
    problem: Why | None = None
    said: str = ""
    """The words that name it, as said."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """Machines that the conversation named, the latest message that named any."""

    group: Group = 0
    in_order: tuple[Group, ...] = ()
    """One entry a mention, in the order said: "the second one" counts in it."""


def recall(history: Sequence[Message], fleet: MemoryFleet) -> Recalled:
    for message in reversed(history[-int(load_rules()["history_messages"]) :]):
        marked = mark_words(message.content, fleet)
        found = [mention for mention in find_mentions(marked, fleet) if mention.level not in (None, "description")]
        if found:
            group = 0
            for mention in found:
                group |= mention.group
            return Recalled(group, tuple(mention.group for mention in found))
    return Recalled()


def locate_given(given: Mapping[str, Any], fleet: MemoryFleet) -> Located | None:
    """The machine that the call itself names; None if it names none, or one that is not this user's."""
    group = fleet.with_id(str(given.get("device_id", "")))
    if group:
        return Located(group, "id", Provenance("llm", detail="the call's device_id"))
    for name in ("device_name", "device_id"):  # models put names where ids belong
        said = str(given.get(name, ""))
        mention = resolve_name(said, fleet) if said else None
        if mention and mention.level:
            return Located(
                mention.group, mention.level, Provenance("llm", detail=f"the call's {name}: {said}"), mention
            )
    return None


def locate(wish: Wish, mention: Mention | None, marked: Marked, recalled: Recalled, fleet: MemoryFleet) -> Located:
    if mention is not None:
        said = marked.said(mention.first, mention.last)
        span = marked.span(mention.first, mention.last)
        if mention.level is None:
            return Located(0, "any", Provenance("words", span), mention, Why.NO_MACHINE, said)
        return Located(mention.group, mention.level, Provenance("words", span, mention.level), mention, said=said)
    unheard = find_unknown_machine(wish, marked)
    if unheard:
        return Located(0, "any", Provenance("words"), None, Why.NO_MACHINE, unheard)
    ordinal = next((mark for mark in wish.marks if mark.kind == "ordinals"), None)
    if ordinal and recalled.in_order:
        place = int(ordinal.meaning)
        chosen = recalled.in_order[place - 1 if place > 0 else place :][:1] if place else ()
        if chosen:
            span = marked.span(ordinal.first, ordinal.last)
            return Located(chosen[0], "conversation", Provenance("conversation", span, "counted in the last message"))
    if any(mark.kind == "others" for mark in wish.marks) and recalled.group:
        return Located(fleet.everyone & ~recalled.group, "any", Provenance("store"))
    every = bool(wish.all_of("all"))  # "turn everything off" is not about the one machine that was spoken of
    if recalled.group and not (every and recalled.group.bit_count() == 1):
        return Located(recalled.group, "conversation", Provenance("conversation", detail="named before"))
    return Located(fleet.everyone, "any", Provenance("store"))


def find_unknown_machine(wish: Wish, marked: Marked) -> str:
    """ "turn on the blender", "the light in the zoo": a thing that nobody here has heard of."""
    lexicon = load_lexicon()
    words = [token.norm for token in marked.utterance.tokens]
    verb = next((mark.first for mark in wish.marks if mark.kind in ("actions", "metrics", "reads", "objects")), None)
    for mark in wish.marks:
        elsewhere = verb is not None and marked.clause_of(mark.first) != marked.clause_of(verb)
        if mark.kind != "unknown" or elsewhere:
            continue
        before = words[mark.first - 1] if mark.first else ""
        after_verb = any(other.kind == "actions" and other.last == mark.first for other in wish.marks)
        if after_verb or before in lexicon.sets["articles"] or before in lexicon.sets["links"]:
            return marked.said(mark.first, mark.last)
    return ""


def refers_back(wish: Wish, marked: Marked) -> bool:
    """ "turn it on", "accendila": in the clause of the verb, for elsewhere "it" may be anything."""
    verbs = load_lexicon().pronoun_verbs
    verb = next((mark.first for mark in wish.marks if mark.kind == "actions"), 0)
    clause = marked.clause_of(verb)
    said = any(mark.kind == "pronouns" and marked.clause_of(mark.first) == clause for mark in wish.marks)
    return said or any(token.norm in verbs for token in marked.utterance.tokens)
