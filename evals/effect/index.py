"""Probes by the words that they have: which of them an edit can touch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy

from engine.editing.touching import Condition
from engine.policy.binding import Pattern
from engine.policy.matching import accept_any
from engine.policy.misspellings import leave_out_each
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.text.corrections import correct, find_correction, forms_without_stretch
from engine.text.folding import fold, split_words, title_words
from engine.text.normalise import normalise
from evals.effect.probes import Probe


def words_of(strings: Iterable[str], policy: Policy) -> frozenset[str]:
    """Every form in which a rule may meet these words: as written, as spellings say, corrected, and as titles are
    compared."""
    found: set[str] = set()
    for text in dict.fromkeys(strings):
        if not text:
            continue
        found.update(title_words(text) if len(text) < _LONG else ())
        found.update(token.norm for token in normalise(text).tokens)
        utterance = normalise(text, policy.spellings, policy.elisions)
        found.update(token.norm for token in utterance.tokens)
        found.update(correct(utterance, policy)[0])
        found.update(fold(text).split())
        # "zumbaaa" is read as "zumba" as soon as that is a word.
        found.update(form for token in utterance.tokens for form in forms_without_stretch(token.norm))
    return frozenset(found)


def _sequences(strings: Iterable[str], policy: Policy) -> Iterator[tuple[str, ...]]:
    """The same, in their order."""
    for text in dict.fromkeys(strings):
        utterance = normalise(text, policy.spellings, policy.elisions)
        forms = {
            normalise(text).words,
            utterance.words,
            correct(utterance, policy)[0],
            split_words(text),
            tuple(fold(text).split()),
        }
        yield from (words for words in forms if words)


def _holds(condition: Condition, sequences: Iterable[tuple[str, ...]], policy: Policy) -> bool:
    """Whether the words stand as they must, in any of these."""
    if condition.phrase:
        size = len(condition.phrase)
        return any(
            all(words[start + place] in condition.words[place] for place in range(size))
            for words in sequences
            for start in range(len(words) - size + 1)
        )
    if condition.pattern is not None:
        return any(_fits(condition.pattern, words, policy) for words in sequences)
    return True


def _fits(pattern: Pattern, words: tuple[str, ...], policy: Policy) -> bool:
    """A request may be any part of a message: so it may begin and end anywhere."""
    anywhere = frozenset(range(len(words) + 1))
    scene = Scene(words, policy.lexicon, anywhere, anywhere, len(words), frozenset(words))
    return any(pattern.match(scene, place, (), accept_any) for place in range(len(words)))


_LONG = 500
"""What is longer is not kept in the cache of titles."""


class ProbeIndex:
    """The probes of one language, under the policy that edits are made from; of `every_language`, where one policy is
    read by in all of them: then there is no index, for each of them may be touched."""

    def __init__(
        self,
        probes: Sequence[Probe],
        policy: Policy,
        *,
        every_language: bool = False,
        onto: ProbeIndex | None = None,
    ) -> None:
        """With `onto`, of the same policy: that one's probes and then these. Its tables are taken over, not made again
        and not changed."""
        self.policy = policy
        before: tuple[Probe, ...] = onto.probes if onto else ()
        self.probes: tuple[Probe, ...] = (
            *before,
            *(each for each in probes if every_language or each.language == policy.language),
        )
        self._by_word: dict[str, frozenset[int] | set[int]] = dict(onto._by_word) if onto else {}
        own: dict[str, set[int]] = {}
        for place in range(len(before), len(before) if every_language else len(self.probes)):
            for word in words_of(self.probes[place].strings, policy):
                own.setdefault(word, set()).add(place)
        self._by_word.update({word: places | self._by_word.get(word, frozenset()) for word, places in own.items()})
        self._sequences: dict[int, list[tuple[str, ...]]] = dict(onto._sequences) if onto else {}

    def under(self, policy: Policy) -> ProbeIndex:
        """The same messages under another policy that reads their words alike."""
        found = copy(self)
        found.policy = policy
        return found

    def holds(self, condition: Condition, place: int) -> bool:
        """Whether the words of a probe stand as they must, wherever its requests begin and end."""
        if not condition.phrase and condition.pattern is None:
            return True  # it has the words, and they may stand anywhere
        if place not in self._sequences:  # of most messages nobody asks
            self._sequences[place] = list(_sequences(self.probes[place].strings, self.policy))
        return _holds(condition, self._sequences[place], self.policy)

    def having(self, condition: Condition) -> set[int]:
        """The places of the probes that have the words."""
        found: set[int] | None = None
        for words in condition.words:
            some: set[int] = set().union(*(self._by_word.get(word, ()) for word in words))
            found = some if found is None else found & some
            if not found:
                return set()
        return set(range(len(self.probes))) if found is None else found

    def near(self, word: str, draft: Policy) -> set[int]:
        """Those with a word that may be a slip of this one, and is taken for another under the draft."""
        variants = {word, *leave_out_each(word)}
        near = [each for each in self._by_word if abs(len(each) - len(word)) <= 1 and _is_near(each, variants)]
        moved = (each for each in near if find_correction(each, self.policy) != find_correction(each, draft))
        return set().union(*(self._by_word[each] for each in moved))


def _is_near(word: str, variants: set[str]) -> bool:
    return word in variants or not variants.isdisjoint(leave_out_each(word))
