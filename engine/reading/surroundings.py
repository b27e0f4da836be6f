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
from engine.decision import Candidate, Context, Message, Reference
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.policy.weights import probabilities
from engine.reading.evidence import Raw
from engine.reading.read import Reading, read_request, score
from engine.targets.references import choose
from engine.text.folding import title_words
from engine.text.normalise import Utterance, normalise
from engine.values import Task

_CANDIDATES = 6
_TURNS_BACK = 2
"""So many messages of the user's are looked at for what was asked before."""
_MOST_WORDS = 40
"""Longer messages name no task by their words: something of everything is in them."""
_SHORTEST_STEM = 4
_LONGEST_ENDING = 2
_REMEMBERED = 256


class Before(NamedTuple):
    """What the conversation was about."""

    intent: str
    """What was done last, or else what was asked for last."""
    at_once: bool
    """Whether that is in the message right before."""


class Fit(NamedTuple):
    """How well a stored task's title fits the words."""

    share: float
    common: int
    task: Task
    asked: int

    @property
    def is_telling(self) -> bool:
        """Whether no other task is likely meant."""
        return self.share == 1.0 or (self.share >= 0.5 and self.common > 1)

    @property
    def name(self) -> str:
        if self.share == 1.0:
            size = "one word" if self.common == 1 else "words"
            return f"whole title, {size}" + (", nothing else" if self.common == self.asked else "")
        if self.is_telling:
            return "most of a title"
        return "nothing but a word of a title" if self.common == self.asked else "a word of a title"


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
    bare = bool(dates) and not _left(scene, dated, policy)
    yield from _observe_dates(dates, scene, bare)
    way = reading.frames[0].frame.intent if reading.frames else "no frame"
    named = reference is not None and is_named(reference, policy)
    if reference and named:
        kind = "pointed at" if reference.candidates[0].how in ("pronoun", "ordinal", "recent") else "named"
        yield (f"store:{kind} as {way}", 0, scene.stop)
    # What is named is found already: one look-up is enough.
    fits, places = ((), []) if named else _find_fits(scene, dated, context, policy)
    if fits:
        yield from _observe_store(fits, places, way, context, policy)
    if context.history:
        yield from _observe_talk(scene, fits, bare, dates, way, context, policy, before)


def is_named(reference: Reference | None, policy: Policy) -> bool:
    """Whether the request's own words for its target fit something stored."""
    return bool(reference and reference.candidates and reference.candidates[0].score >= policy.amounts.named_from)


def dated_places(utterance: Utterance, dates: tuple[DateMatch, ...]) -> frozenset[int]:
    """The places of words that say when."""
    if not dates:
        return frozenset()
    spans = [match.span for match in dates]
    return frozenset(
        place
        for place, token in enumerate(utterance.tokens)
        if any(span.start <= token.start < span.end for span in spans)
    )


def _left(scene: Scene, dated: frozenset[int], policy: Policy) -> list[int]:
    """The places of words that are neither dates nor said in any sentence."""
    empty = policy.empty_words
    return [place for place, word in enumerate(scene.words) if place not in dated and word not in empty]


def _observe_dates(dates: tuple[DateMatch, ...], scene: Scene, bare: bool) -> Iterator[Raw]:
    if not dates:
        return
    if any(match.has_day for match in dates):
        yield ("date:day", 0, scene.stop)
    if any("T" in match.value and not match.approximate for match in dates):
        yield ("date:time", 0, scene.stop)
    if bare:
        yield ("date:nothing else", 0, scene.stop)


def _find_fits(
    scene: Scene, dated: frozenset[int], context: Context, policy: Policy
) -> tuple[tuple[Fit, ...], list[int]]:
    """The tasks whose titles share words with the message, the best first; and where those words may stand."""
    if scene.stop > _MOST_WORDS:
        return (), []
    places = _left(scene, dated, policy)
    if not places:
        return (), []
    said = " ".join([scene.words[place] for place in places])
    asked, empty = frozenset(title_words(said)), policy.empty_words
    found = []
    for task in context.tasks.candidates(said, _CANDIDATES):
        titled = frozenset([word for word in title_words(task.title) if word not in empty])
        common = sum([_is_said(word, asked) for word in titled])
        if common:
            found.append(Fit(common / len(titled), common, task, len(asked)))
    found.sort(key=lambda fit: (fit.share, fit.common), reverse=True)
    return tuple(found), places


def _is_said(word: str, asked: frozenset[str]) -> bool:
    """Also with another ending: "tyre" and "tyres"."""
    if word in asked:
        return True
    if len(word) < _SHORTEST_STEM:
        return False
    for other in asked:
        shorter, longer = (word, other) if len(word) < len(other) else (other, word)
        ending = len(longer) - len(shorter)
        if ending <= _LONGEST_ENDING and len(shorter) >= _SHORTEST_STEM and longer.startswith(shorter):
            return True
    return False


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
    named = _last_named(context.history)
    if best.task.id in named:
        yield ("store:just named", first, last)


def look_around(reading: Reading, dates: tuple[DateMatch, ...], context: Context, policy: Policy) -> Reference | None:
    """What is meant where no words for it were found: what the rest of the message names, else what was spoken of."""
    scene, amounts = reading.scene, policy.amounts
    fits, places = _find_fits(scene, dated_places(reading.utterance, dates), context, policy)
    spoken = [task_id for task_id in _last_named(context.history) if context.tasks.find_by_id(task_id)]
    if spoken and not (fits and fits[0].is_telling):
        found = tuple([Candidate(task_id, amounts.pointed_at, "pronoun") for task_id in spoken[:_CANDIDATES]])
        return Reference("", None, found, found[0].task_id if len(found) == 1 else None)
    if not fits:
        return None
    scored = [
        Candidate(fit.task.id, amounts.whole_title * fit.share + amounts.spoken_of * (fit.task.id in spoken), "partial")
        for fit in fits
    ]
    scored.sort(key=lambda each: each.score, reverse=True)
    span = reading.utterance.span(places[0], places[-1] + 1)
    return choose(reading.utterance.slice(span), span, tuple(scored), policy)


def names_nothing(reference: Reference, reading: Reading, policy: Policy) -> bool:
    """Whether what was taken for a name fits nothing and is none: "change the time to 8", "delete it, I am tired"."""
    if reference.candidates:
        return False
    empty, pointing = policy.empty_words, policy.pointing_words
    return not pointing.isdisjoint(reading.scene.present) or all(
        word in empty for word in title_words(reference.mention)
    )


def _last_named(history: tuple[Message, ...]) -> tuple[str, ...]:
    return next((message.tasks for message in reversed(history[-4:]) if message.tasks), ())


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
    if pointer is not None and _last_named(context.history):
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
