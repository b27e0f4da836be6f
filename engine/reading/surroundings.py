"""What is observed around a request's words: dates, the store, the conversation.

date:...     a day, a time, nothing but a date
store:...    the words name something stored: how well, how many, in which state
talk:...     what came before, and how the message takes it up

The names say nothing of a language, so what is learned from conversations in one language holds in all of them.
Without tasks and history in the Context there is nothing to observe. Words that are in every sentence, words that
ask for something and dates are no evidence that a task is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from engine.catalogue.facts import UNKNOWN
from engine.dates import DateMatch, find_dates
from engine.decision import Context, Reference
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.policy.weights import probabilities
from engine.reading.evidence import Raw
from engine.reading.read import Reading, read_request, score
from engine.reading.stored import Fit, dated_places, find_content, find_fits, last_named
from engine.text.normalise import normalise

_TURNS_BACK = 2
"""So many messages of the user's are looked at for what was asked before."""
_REMEMBERED = 256


class Before(NamedTuple):
    """What the conversation was about."""

    intent: str
    """What was done last, or else what was asked for last."""
    at_once: bool
    """Whether that is in the message right before."""


def observe_surroundings(
    reading: Reading,
    dates: tuple[DateMatch, ...],
    reference: Reference | None,
    context: Context,
    policy: Policy,
    before: Before | None,
    dated: frozenset[int],
) -> Iterator[Raw]:
    scene = reading.scene
    bare = bool(dates) and not find_content(scene, dated, policy)
    yield from _observe_dates(dates, scene, bare)
    way = reading.frames[0].frame.intent if reading.frames else "no frame"
    named = reference is not None and is_named(reference, policy)
    if reference and named:
        kind = "pointed at" if reference.candidates[0].how in ("pronoun", "ordinal", "recent") else "named"
        yield (f"store:{kind} as {way}", 0, scene.stop)
    # What is named is found already; and what "remind me to ..." is about is the user's business, be it stored or not.
    lead = reading.frames[0].frame if reading.frames else None
    own = lead is not None and lead.clear and lead.intent not in policy.catalogue.on_target
    fits, places = ((), []) if named or own else find_fits(scene, dated, context, policy)
    if fits:
        yield from _observe_store(fits, places, way, context, policy)
    if context.history:
        yield from _observe_talk(scene, fits, bare, dates, way, context, policy, before)


def is_named(reference: Reference | None, policy: Policy) -> bool:
    """Whether the request's own words for its target fit something stored."""
    return bool(reference and reference.candidates and reference.candidates[0].score >= policy.amounts.named_from)


def _observe_dates(dates: tuple[DateMatch, ...], scene: Scene, bare: bool) -> Iterator[Raw]:
    if not dates:
        return
    if any(match.has_day for match in dates):
        yield ("date:day", 0, scene.stop)
    if any("T" in match.value and not match.approximate for match in dates):
        yield ("date:time", 0, scene.stop)
    if bare:
        yield ("date:nothing else", 0, scene.stop)


def _observe_store(
    fits: tuple[Fit, ...], places: list[int], way: str, context: Context, policy: Policy
) -> Iterator[Raw]:
    best, first, last = fits[0], places[0], places[-1] + 1
    yield (f"store:{best.name}", first, last)
    yield (f"store:{best.name}, {way}", first, last)
    if best.share == 1.0 or best.common > 1:
        if len(fits) > 1 and (fits[1].share, fits[1].common) == (best.share, best.common):
            yield ("store:several titles", first, last)
        if best.task.status != policy.catalogue.states[0]:
            yield (f"store:settled, {way}", first, last)
    named = last_named(context.history)
    if best.task.id in named:
        yield ("store:just named", first, last)


def _observe_talk(
    scene: Scene,
    fits: tuple[Fit, ...],
    bare: bool,
    dates: tuple[DateMatch, ...],
    way: str,
    context: Context,
    policy: Policy,
    before: Before | None,
) -> Iterator[Raw]:
    last = next((message for message in reversed(context.history) if message.role == "assistant"), None)
    follows = f"{before.intent}{'' if before.at_once else ' earlier'}" if before else "nothing"
    yield (f"talk:follows {follows}", 0, scene.stop)
    yield (f"talk:follows {follows}, {way}", 0, scene.stop)
    asked = last is not None and last.content.rstrip().endswith("?")
    if asked:
        yield ("talk:answers a question", 0, scene.stop)
    if last is not None and last.tasks:
        yield (f"talk:after {'a task' if len(last.tasks) == 1 else 'several tasks'}", 0, scene.stop)
    ways = []
    start = _begins(scene, policy, "corrective")
    if start:
        ways.append(("corrects", 0, start))
    start = _begins(scene, policy, "joiner")
    if start:
        ways.append(("goes on", 0, start))
    if bare:
        ways.append(("only a date", 0, scene.stop))
    elif dates and not fits:
        ways.append(("has a date", 0, scene.stop))
    pointer = next((place for place, word in enumerate(scene.words) if word in policy.pointing_words), None)
    if pointer is not None and last_named(context.history):
        ways.append(("points", pointer, pointer + 1))
    kind = before.intent if before else "nothing"
    for name, first, end in ways:
        yield (f"talk:{name}", first, end)
        yield (f"talk:{name} after {kind}", first, end)
        if way == "no frame":
            yield (f"talk:{name} after {kind}, no frame", first, end)


def _begins(scene: Scene, policy: Policy, name: str) -> int:
    """Where the phrase of this class ends that the message begins with; 0: it begins with none."""
    return max(policy.lexicon.ends(name, scene.words, 0), default=0)


def find_before(context: Context, policy: Policy) -> Before | None:
    """What was done or asked for last: the calls of the assistant's message where it says so, else the user's words."""
    turns = 0
    for message in reversed(context.history):
        if message.calls:
            return Before(policy.catalogue.intent_of(message.calls[-1].tool_name), turns == 0)
        if message.role == "user" and message.content:
            intent = asked_for(message.content, policy, context.now)
            if intent != UNKNOWN:
                return Before(intent, turns == 0)
            turns += 1
            if turns == _TURNS_BACK:
                return None
    return None


def asked_for(text: str, policy: Policy, now: datetime) -> str:
    """What a message asks for by its words alone."""
    known = policy.asked_before
    intent = known.get(text)
    if intent is None:
        utterance = normalise(text, policy.spellings, policy.elisions)
        dated = dated_places(utterance, find_dates(text, now, policy.date_words))
        reading = read_request(utterance, policy, dated)
        shares = probabilities(score(reading, policy))
        best = max(range(len(shares)), key=shares.__getitem__)
        intent = policy.catalogue.intents[best]
        if len(known) >= _REMEMBERED:
            known.clear()
        known[text] = intent
    return intent
