"""What the words ask for: one wish a request, with its verb, its objects, its machine, and what speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.marks import Mark, Marked, plain_word
from domains.machines.composing.mentions import Mention
from domains.machines.composing.refusals import READING_VERBS, find_refusal, find_report, is_negated_reading
from domains.machines.rules import load_rules
from engine.completing.values import Why

Kind = Literal["command", "metrics", "detail", "list", "bare"]
_NEGATION_REACH = 4
_LEADING = ("negations", "asks", "conditions", "polite", "links", "fillers", "joins", "now", "later", "question_words")
"""What stands before a verb and belongs to it."""


@dataclass(frozen=True, slots=True)
class Wish:
    kind: Kind
    marks: tuple[Mark, ...]
    """Everything that was said in this part of the sentence."""
    action: str = ""
    target: str = ""
    """What the action is done to, or the metric that is read: light, temperature."""
    mentions: tuple[Mention, ...] = ()
    refused: Why | None = None
    inherited: bool = False
    """Whether the machine was named in another part of the sentence."""
    recalled: bool = False
    """Whether the target was named in the message before."""

    def plain_words(self, marked: Marked) -> frozenset[str]:
        """Its words as the fleet's words are kept, names of machines left out, plurals also without their s."""
        said = [
            plain_word(marked.utterance.tokens[place].norm)
            for mark in self.marks
            if mark.kind not in ("device", "serial")
            for place in range(mark.first, mark.last)
        ]
        return frozenset((*said, *(word.removesuffix("s") for word in said)))

    def all_of(self, *kinds: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind in kinds]


def find_wishes(marked: Marked, mentions: Sequence[Mention]) -> list[Wish]:
    """In the order said. A message without any verb or metric is one bare wish."""
    parts = _parts(_without_corrected(_with_gerunds(marked)))
    wishes: list[Wish] = []
    for part in parts:
        own = tuple(mention for mention in mentions if any(mark in part for mark in mention.marks))
        wishes += [replace(wish, mentions=own) for wish in _wishes_of(part, marked, bool(own))]
    # A part that only carries words such as "please" asks for nothing where another part asks for something.
    meant = [wish for wish in wishes if wish.kind != "bare"] or wishes[:1]
    return _share_mentions(_share_refusals(_one_detail(meant), marked), mentions)


def _share_refusals(wishes: list[Wish], marked: Marked) -> list[Wish]:
    """ "don't turn on the light or start the defrost", "tomorrow turn on the light and start the defrost": what speaks
    against one command speaks against the others, unless a new clause begins, or they are wanted now."""
    refused = [wish for wish in wishes if wish.kind == "command" and wish.refused]
    return [
        replace(wish, refused=next((each.refused for each in refused if _reaches(each, wish, marked)), None))
        if wish.kind == "command" and wish.refused is None
        else wish
        for wish in wishes
    ]


def _reaches(refused: Wish, other: Wish, marked: Marked) -> bool:
    if refused.refused is Why.LATER:
        return not other.all_of("now")
    verbs = [mark for wish in (refused, other) for mark in wish.all_of("actions")[:1]]
    if len(verbs) < 2 or verbs[0].first > verbs[1].first:
        return False
    between = [mark for mark in marked.marks if verbs[0].first < mark.first < verbs[1].first]
    but = load_lexicon().sets["but"]
    contrasts = any(mark.kind == "joins" and mark.meaning in but for mark in between)
    return not contrasts and marked.clause_of(verbs[0].first) == marked.clause_of(verbs[1].first)


def _with_gerunds(marked: Marked) -> tuple[Mark, ...]:
    """ "would you mind turning on the light" is a request; "the fan is starting" is none."""
    said = [token.norm for token in marked.utterance.tokens]
    minds = load_lexicon().sets["minding"]
    minding = next((place for place, word in enumerate(said) if word in minds), len(said))
    return tuple(
        mark._replace(kind="actions" if minding < mark.first else "states") if mark.kind == "gerunds" else mark
        for mark in marked.marks
    )


def _without_corrected(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """ "turn on, no wait, turn off the light": what stands before the correction is taken back, if a verb follows."""
    for place, mark in reversed(list(enumerate(marks))):
        after = marks[place + 1 :]
        if mark.kind == "corrections" and any(each.kind in ("actions", *READING_VERBS) for each in after):
            return after
    return marks


def _parts(marks: tuple[Mark, ...]) -> list[tuple[Mark, ...]]:
    """Each verb opens a part; what stands before the first verb belongs to it."""
    parts: list[list[Mark]] = [[]]
    has_verb = False
    for mark in marks:
        if mark.kind == "actions" or mark.kind in READING_VERBS:
            if has_verb:
                # Words such as "don't" or "how" belong to the verb that they stand before.
                moved: list[Mark] = []
                while (
                    parts[-1] and parts[-1][-1].kind in _LEADING and mark.first - parts[-1][-1].last < _NEGATION_REACH
                ):
                    moved.insert(0, parts[-1].pop())
                parts.append(moved)
            has_verb = True
        parts[-1].append(mark)
    return [tuple(part) for part in parts if part]


def _wishes_of(part: tuple[Mark, ...], marked: Marked, has_machine: bool) -> list[Wish]:
    action = next((mark for mark in part if mark.kind == "actions"), None)
    if action is not None:
        return _commands(part, action, marked)
    refused = Why.NEGATED if is_negated_reading(part) else None
    if _sets_a_value(part):
        return [
            replace(wish, action="set")
            for wish in _commands(part, Mark("actions", "set", part[0].first, part[0].first), marked)
        ]
    metrics = list(dict.fromkeys(mark.meaning for mark in part if mark.kind == "metrics"))
    found = [Wish("metrics", part, target=metric, refused=refused) for metric in metrics]
    if any(mark.kind == "details" for mark in part) or _asks_for_state(part):
        found.append(Wish("detail", part, refused=refused))
    if not metrics and any(mark.kind == "data" for mark in part):
        found.append(Wish("metrics", part, refused=refused))
    about_fleet = any(mark.kind in ("lists", "machines") for mark in part)
    if about_fleet and not metrics and any(mark.kind in (*READING_VERBS, "question_words") for mark in part):
        return [Wish("list", part, refused=refused)]
    if not found and has_machine and any(mark.kind in ("reads", "reads_if") for mark in part):
        found.append(Wish("detail", part, refused=refused))
    if found:
        return sorted(found, key=_place)
    asked = Why.QUESTION if any(mark.kind == "asks" for mark in part) else None
    denied = Why.NEGATED if any(mark.kind == "negations" for mark in part) else None
    return [Wish("bare", part, refused=refused or asked or denied or find_report(part))]


def _place(wish: Wish) -> int:
    """Where it is asked for, so that the answer keeps the order of the question."""
    named = [mark.first for mark in wish.marks if mark.kind == "metrics" and mark.meaning == wish.target]
    asked = [mark.first for mark in wish.all_of("details", "states", "objects", "data")]
    return min(named if wish.kind == "metrics" and named else asked, default=0)


def _sets_a_value(part: tuple[Mark, ...]) -> bool:
    """ "brightness to 40%": a thing, a direction and a number are a request to set it."""
    sets = load_lexicon().sets
    thing = any(mark.kind in ("objects", "metrics") for mark in part)
    asked = any(mark.kind in ("question_words", "asks", *READING_VERBS) for mark in part)
    numbers = [place for place, mark in enumerate(part) if mark.kind == "number" and place]
    return thing and not asked and any(part[place - 1].meaning in sets["towards"] for place in numbers)


def _asks_for_state(part: tuple[Mark, ...]) -> bool:
    asked = any(mark.kind in ("question_words", "reads_if", "reads") for mark in part)
    return asked and any(mark.kind in ("states", "objects") for mark in part)


def _commands(part: tuple[Mark, ...], action: Mark, marked: Marked) -> list[Wish]:
    refused = find_refusal(part, action, marked)
    name, _, carried = action.meaning.partition(" ")
    said = [mark.meaning for mark in part if mark.kind in ("objects", "metrics") and mark is not action]
    targets = list(dict.fromkeys([carried] if carried else said)) or [""]
    return [Wish("command", part, action=name, target=target, refused=refused) for target in targets]


def _one_detail(wishes: list[Wish]) -> list[Wish]:
    """Connected and in which state: both are in one answer."""
    kept: list[Wish] = []
    for wish in wishes:
        twice = any(wish.kind == other.kind == "detail" and wish.mentions == other.mentions for other in kept)
        if not twice:
            kept.append(wish)
    return kept


def _share_mentions(wishes: list[Wish], mentions: Sequence[Mention]) -> list[Wish]:
    """A machine that was named once is meant in every part: "turn on the light and defrost the kitchen fridge"."""
    if not mentions:
        return wishes
    shared: list[Wish] = []
    for place, wish in enumerate(wishes):
        if wish.mentions or wish.kind == "list":
            shared.append(wish)
            continue
        behind = [other for other in wishes[place + 1 :] if other.mentions]
        ahead = [other for other in wishes[:place] if other.mentions]
        source = ahead[-1] if ahead else behind[0] if behind else None
        shared.append(replace(wish, mentions=source.mentions, inherited=True) if source else wish)
    return shared


def are_opposite(one: str, other: str) -> bool:
    return any({one, other} == set(pair) for pair in load_rules()["opposites"])
