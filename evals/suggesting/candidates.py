"""Edits that may mend a misread message, the smallest kinds first. Whether one does is found by running it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import OSA

from engine.catalogue.facts import UNKNOWN
from engine.decider import RuleDecider
from engine.decision import Intent, Reason
from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddSpelling,
    Edit,
    SetThreshold,
    SetWeight,
    size_of,
)
from engine.messages import read_message
from engine.policy.patterns import Node, compile_pattern
from engine.policy.values import Frame, Policy
from engine.reading.frames import make_scene
from engine.talking.naming import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import normalise
from engine.why import NearMiss, WhyNot, find_why
from engine.why.near import write_node
from evals.suggesting.generalising import guess_name, make_patterns
from evals.suggesting.misread import Misread

_MOST_PHRASE = 4
_MARGIN = 0.6
"""So much more than it lacks is a weight raised: what only just does is undone by the next message."""
_SLIPS = 2
_MOST_THINGS = 50
_FURTHER = 0.3


class EditCandidate(NamedTuple):
    edit: Edit
    doubt: float
    """How little the edit looks like something that a person would write; added to its size."""


def find_candidates(misread: Misread, decider: RuleDecider) -> tuple[EditCandidate, ...]:
    """Each once, in the order in which they are worth trying."""
    policy = decider.policy_of(misread.text, misread.context)
    found: list[Edit] = []
    for wanted in misread.wanted:
        arguments = {name: values[0] for name, values in misread.values.items() if values}
        why = find_why(misread.text, misread.context, decider, wanted, arguments)
        if wanted == UNKNOWN:
            found += _for_nothing(misread, why, policy)
        else:
            found += _for_request(misread, why, wanted, policy, decider)
    phrases = [edit for edit in dict.fromkeys(found) if isinstance(edit, AddPhrase)]
    # In the order of how near they came: of two phrases the smaller is not the better one.
    further = {edit: _FURTHER * min(place, 4) for place, edit in enumerate(phrases)}
    doubted = ((edit, _doubt(edit, misread, policy)) for edit in dict.fromkeys(found))
    kept = [
        EditCandidate(edit, doubt + (further[edit] if isinstance(edit, AddPhrase) else 0.0))
        for edit, doubt in doubted
        if doubt is not None
    ]
    return tuple(sorted(kept, key=lambda each: size_of(each.edit) + each.doubt))


def _doubt(edit: Edit, misread: Misread, policy: Policy) -> float | None:
    """None: the edit makes a rule of what is the user's own, the name of a thing or a date."""
    if isinstance(edit, AddGuard):
        return _doubt_guard(edit, misread, policy)
    if isinstance(edit, AddPhrase):
        words = tuple(edit.phrase.split())
        if all("det" in policy.word_classes.get(word, ()) for word in words):
            return None  # an article asks for nothing
        said = {token.norm for token in normalise(misread.text, policy.spellings, policy.elisions).tokens}
        if not said.issuperset(words) or _own_words(misread, policy) & set(words):
            return None  # also not of what a slip was read as: that is a matter of spelling
        if any("date_word" in policy.word_classes.get(word, ()) for word in words):
            return None  # "on thursday" is no polite word
        return _doubt_phrase(words, edit.class_name, misread, policy)
    if isinstance(edit, AddPattern):
        literal = set(re.findall(r"(?<![<{\w'])[\w']+(?![>}\w'])", edit.pattern))
        if _own_words(misread, policy) & literal:
            return None
        # What fits anywhere in a message, with one small word of its own, fits too much.
        telling = [word for word in literal if word not in policy.small_words]
        return (0.0 if telling else 1.0) + (0.3 if ".." in edit.pattern else 0.0) + 0.1 * edit.clear
    return 0.0


def _doubt_guard(edit: AddGuard, misread: Misread, policy: Policy) -> float:
    """A guard of nothing but words that requests are made of ("when is", "mark a"), or that things are called by ("when
    is my rent"), stops requests, unless it is the whole message."""
    words = [word for word in edit.pattern.split() if word.isalpha()]
    titles = {word for task in misread.context.tasks.recent(_MOST_THINGS) for word in title_words(task.title)}
    strange = [
        word
        for word in words
        if word not in policy.small_words and word not in policy.word_classes and fold(word) not in titles
    ]
    return 0.0 if strange else 0.4 if edit.pattern.endswith("$") else 1.5


def _doubt_phrase(words: tuple[str, ...], class_name: str, misread: Misread, policy: Policy) -> float:
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    said = tuple(token.norm for token in utterance.tokens)
    start = next((place for place in range(len(said)) if said[place : place + len(words)] == words), 0)
    opening = make_scene(said, utterance.sentence_starts, policy).opening
    # "through" in "run me through": words before it that belong to it are left out.
    doubt = 0.4 * max(0, start - opening)
    small = [word in policy.small_words or "det" in policy.word_classes.get(word, ()) for word in words]
    if all(small):
        return doubt + 1.0
    alike = any(phrase[-1] == words[-1] for phrase in policy.lexicon.phrases.get(class_name, ()))  # "remind me"
    return doubt + 0.5 * (small[-1] and not alike) + 0.3 * small[0]


def _own_words(misread: Misread, policy: Policy) -> set[str]:
    """The words of the message that name the thing it is about, or give its values."""
    named = [*misread.targets, *(value for values in misread.values.values() for value in values)]
    adds = any(facts.effect == "add" for facts in policy.catalogue.tools if facts.intent in misread.wanted)
    if adds and not named:
        utterance = normalise(misread.text, policy.spellings, policy.elisions)
        named = [
            utterance.text[utterance.tokens[first].start : utterance.tokens[last - 1].end]
            for first, last in guess_name(utterance, policy)
        ]
    stems = {stem(word, policy) for text in named for word in title_words(text) if word not in policy.small_words}
    said = (token.norm for token in normalise(misread.text, policy.spellings, policy.elisions).tokens)
    own = {word for word in said if stem(fold(word), policy) in stems}
    # What a value is said by ("urgent") is no name.
    return {word for word in own if not any(name.startswith(_VALUES) for name in policy.word_classes.get(word, ()))}


_VALUES = ("priority_", "level_", "status_")


def _for_request(misread: Misread, why: WhyNot, wanted: Intent, policy: Policy, decider: RuleDecider) -> Iterator[Edit]:
    yield from _spellings(misread, why, policy)
    yield from _phrases(why, policy)
    yield from _filters(misread, why, policy)
    yield from _ways_of_asking(misread, wanted, policy)
    yield from _varied_patterns(why, wanted, policy)
    yield from _thresholds(why, policy)
    yield from _weights(misread, why, wanted, policy, decider)


def _phrases(why: WhyNot, policy: Policy) -> Iterator[Edit]:
    for miss in why.misses:
        if miss.words and miss.class_name in policy.words and miss.kind in ("swap", "start", "end"):
            yield AddPhrase(miss.class_name, miss.words)


def _filters(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Words that say a value and are in none of its classes: those that are in no class at all."""
    words = tuple(token.norm for token in normalise(misread.text, policy.spellings, policy.elisions).tokens)
    strange = [place for place, word in enumerate(words) if word not in policy.word_classes and word.isalpha()]
    for gap in why.gaps:
        for class_name in gap.classes:
            for place in strange:
                yield AddPhrase(class_name, words[place])
                if place:
                    yield AddPhrase(class_name, f"{words[place - 1]} {words[place]}")
                if place + 1 < len(words):
                    yield AddPhrase(class_name, f"{words[place]} {words[place + 1]}")


def _spellings(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Words that nobody knows and that look like words of the ways of asking."""
    known = policy.weights.vocabulary
    strange = {
        token.norm
        for token in normalise(misread.text, policy.spellings, policy.elisions).tokens
        if token.norm.isalpha() and token.norm not in known and token.norm not in policy.word_classes
    }
    telling = {word for name in ("misspelt", "acting", "item", "items") for word in policy.words.get(name, ())}
    telling |= {miss.part.strip("()[]") for miss in why.misses if miss.kind == "swap"}
    for word in sorted(strange):
        near = [each for each in telling if " " not in each and OSA.distance(word, each) <= _SLIPS and len(each) > 2]
        for meant in sorted(near, key=lambda each: (OSA.distance(word, each), each))[:2]:
            yield AddSpelling(word, meant)


def _ways_of_asking(misread: Misread, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    facts = policy.catalogue.by_intent.get(wanted)
    frames = [frame for frame in policy.frames if frame.intent == wanted]
    if facts is None or not frames:
        return
    prefix = frames[0].id.partition(".")[0]
    for pattern in make_patterns(misread, facts, policy):
        name = _name(prefix, pattern, policy)
        yield AddPattern(wanted, name, pattern)
        yield AddPattern(wanted, name, pattern, clear=True)
        kin = _kindred(pattern, frames)
        if kin:
            yield AddPattern(wanted, kin.id, pattern)


def _name(prefix: str, pattern: str, policy: Policy) -> str:
    words = re.findall(r"(?<![<{\w])\w+(?![>}\w])", pattern) or re.findall(r"\w+", pattern)
    name = f"{prefix}.{'_'.join(words[:3])}"
    taken = {frame.id for frame in policy.frames}
    return name if name not in taken else f"{name}_too"


def _kindred(pattern: str, frames: list[Frame]) -> Frame | None:
    """A clear frame whose patterns have the same slots."""
    slots = set(re.findall(r"\{(\w+)", pattern))
    return next(
        (
            frame
            for frame in frames
            if frame.clear
            and not frame.sets
            and not frame.unless
            and any(set(re.findall(r"\{(\w+)", each)) == slots for each in frame.patterns)
        ),
        None,
    )


def _varied_patterns(why: WhyNot, wanted: Intent, policy: Policy) -> Iterator[Edit]:
    """A pattern that would fit with another word in its place, or without one in between, as one more pattern."""
    for miss in why.misses:
        if miss.words and miss.kind in ("swap", "extra"):
            varied = _vary(miss)
            if varied and varied != miss.pattern:
                yield AddPattern(wanted, miss.frame, varied)


def _vary(miss: NearMiss) -> str:
    nodes = compile_pattern(miss.pattern)
    parts: list[str] = []
    done = False
    for node in nodes:
        written = write_node(node)
        if not done and written == miss.part and _may_vary(node):
            done = True
            written = miss.words if miss.kind == "swap" else f"[{miss.words}] {written}"
        parts.append(written)
    return " ".join(parts) if done else ""


def _may_vary(node: Node) -> bool:
    return node.kind in ("word", "class", "options") and not node.optional


def _thresholds(why: WhyNot, policy: Policy) -> Iterator[Edit]:
    confidence = why.decision.confidence or 0.0
    if why.decision.reason is Reason.BELOW_THRESHOLD and 0 < confidence < policy.thresholds.act:
        yield SetThreshold("act", math.floor(confidence * 100) / 100)
    for obstacle in why.obstacles:
        if obstacle.kind == "reads_nothing":
            yield SetThreshold("read", max(0.0, math.floor((policy.thresholds.read - obstacle.amount) * 100) / 100))


def _weights(misread: Misread, why: WhyNot, wanted: Intent, policy: Policy, decider: RuleDecider) -> Iterator[Edit]:
    """The weight of the way of asking that fits, or of the most telling words, raised by what the intent lacks."""
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    requests, _ = read_message(utterance, misread.context, policy)
    place = policy.catalogue.intents.index(wanted)
    for request in requests[:1]:
        reading = request.weighed.reading
        lacking = max([each.amount for each in why.obstacles if each.kind == "loses"], default=1.0) + _MARGIN
        observed = [each for each in reading.observations if each.name.startswith(("lead:", "pair:", "word:"))]
        order = {"lead": 0, "pair": 1, "word": 2}
        telling = sorted(observed, key=lambda each: (order[each.name.partition(":")[0]], -len(each.name)))
        for each in telling[:3]:
            yield SetWeight(each.name, wanted, round(policy.weights.evidence[each.name][place] + lacking, 2))


def _for_nothing(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Guards made from the message, and words for things that are not ours."""
    reason = misread.reason if misread.reason in list(Reason) else str(Reason.NOT_ABOUT_TASKS)
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    words = tuple(token.norm for token in utterance.tokens)
    scene = make_scene(words, utterance.sentence_starts, policy)
    start, stop = scene.opening, min(scene.ends)
    own = words[start:stop]
    if not own or any(sign in word for word in own for sign in "[](){}<>|^$"):
        return
    frames = sorted(
        {frame.id.partition(".")[0] + "." for frame in policy.frames if frame.intent == why.decision.intent}
    )
    content = [word for word in own if word not in policy.small_words and word.isalpha()]
    for word in content:
        if "foreign" in policy.words and word not in policy.word_classes:
            yield AddPhrase("foreign", word)
    for size in range(2, min(len(own), _MOST_PHRASE) + 1):
        head = " ".join(own[:size])
        yield AddGuard(reason, f"^ {head} {{rest?}}")
        if frames and size < len(own):
            yield AddGuard(reason, f"^ {head} {{rest?}}", tuple(frames))
    if len(own) <= 12:
        yield AddGuard(reason, f"^ {' '.join(own)} $")
    intents = policy.catalogue.intents
    requests, _ = read_message(utterance, misread.context, policy)
    for request in requests[:1]:
        reading = request.weighed.reading
        for each in reading.observations:
            if each.name.startswith("pair:") and "_" not in each.name:
                value = policy.weights.evidence[each.name][intents.index(UNKNOWN)] + 3.0
                yield SetWeight(each.name, UNKNOWN, round(value, 2))
                break
