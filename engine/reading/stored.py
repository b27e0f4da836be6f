"""Something stored that the words name, without a way of asking that says where: how well, and which."""

from __future__ import annotations

from typing import NamedTuple

from engine.dates import DateMatch
from engine.decision import Candidate, Context, Message, Reference
from engine.policy.classes import ORDINALS
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.targets.by_day import find_called_by_day
from engine.targets.references import choose
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import Task

_CANDIDATES = 6
_MOST_WORDS = 40
"""Longer messages name no task by their words: something of everything is in them."""
_SHORTEST_STEM = 4
_LONGEST_ENDING = 2


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


def dated_places(utterance: Utterance, dates: tuple[DateMatch, ...]) -> frozenset[int]:
    """The places of words that say when. The dates stand in the order of the text."""
    places, place, tokens = set(), 0, utterance.tokens
    for match in dates:
        start, end = match.span.start, match.span.end
        while place < len(tokens) and tokens[place].start < start:
            place += 1
        while place < len(tokens) and tokens[place].start < end:
            places.add(place)
            place += 1
    return frozenset(places)


def find_content(scene: Scene, dated: frozenset[int], policy: Policy) -> list[int]:
    """The places of words that are neither dates nor said in any sentence."""
    empty = policy.empty_words
    return [place for place, word in enumerate(scene.words) if place not in dated and word not in empty]


def find_fits(
    scene: Scene, dated: frozenset[int], context: Context, policy: Policy
) -> tuple[tuple[Fit, ...], list[int]]:
    """The tasks whose titles share words with the message, the best first; and where those words may stand."""
    if scene.stop > _MOST_WORDS:
        return (), []
    places = find_content(scene, dated, policy)
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


_PLACES = frozenset(ORDINALS)


def look_around(reading: Reading, dates: tuple[DateMatch, ...], context: Context, policy: Policy) -> Reference | None:
    """What is meant where no words for it were found: what the rest of the message names, else what was spoken of."""
    scene, amounts = reading.scene, policy.amounts
    of_day = find_called_by_day(reading.utterance, dates, context, policy, policy.catalogue.states[0])
    if of_day:
        return of_day
    fits, places = find_fits(scene, dated_places(reading.utterance, dates), context, policy)
    spoken = [task_id for task_id in last_named(context.history) if context.tasks.find_by_id(task_id)]
    placed = any(not _PLACES.isdisjoint(policy.word_classes.get(word, ())) for word in scene.words)
    if spoken and not placed and not (fits and fits[0].is_telling):  # "the fifth one" is not just any of them
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


def last_named(history: tuple[Message, ...]) -> tuple[str, ...]:
    return next((message.tasks for message in reversed(history[-4:]) if message.tasks), ())
