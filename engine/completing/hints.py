"""Words that say how a request is meant: not, if, later, how; and words that say nothing. The same in every domain.

They stand in a language's `words.txt` as classes `hint_…`. People mix languages, so those of all languages count at
once. What is read as a request is read without them: they only speak where a call is completed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.completing.values import Why
from engine.policy.classes import HINT
from engine.policy.values import Policy
from engine.text.normalise import Utterance, normalise

KINDS = (
    "not_negations", "not_conditions", "corrections", "reads_if", "polite", "asks", "conditions", "negations", "later",
    "now", "reported", "others", "all", "pronouns", "minus", "reads", "question_words",
)  # fmt: skip
"""Where two kinds have the same phrase, the earlier one counts."""
_SPEAKS_AGAINST = {
    "negations": Why.NEGATED,
    "conditions": Why.CONDITIONAL,
    "later": Why.LATER,
    "reported": Why.NOT_A_REQUEST,
}


class Phrase(NamedTuple):
    words: tuple[str, ...]
    kind: str
    meaning: str


PhraseIndex = Mapping[str, tuple[Phrase, ...]]
"""By their first word, the longest first."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """How messages are cut into words, by the rules of all languages together."""

    spellings: Mapping[str, str]
    elisions: frozenset[str]

    def read(self, text: str) -> Utterance:
        """As a message is read, with command names (turn_on_light) taken apart."""
        return normalise(text.replace("_", " "), self.spellings, self.elisions)

    def words(self, phrase: str) -> tuple[str, ...]:
        """A phrase of a class as a message would have it. What is split off keeps its apostrophe: "l' altro"."""
        pieces = ([piece] if piece.endswith("'") else self._norms(piece) for piece in phrase.split())
        return tuple(word for piece in pieces for word in piece)

    def _norms(self, piece: str) -> list[str]:
        return [token.norm for token in normalise(piece, elisions=self.elisions).tokens]


def make_cutting(policies: Iterable[Policy]) -> Cutting:
    spellings: dict[str, str] = {}
    elisions: frozenset[str] = frozenset()
    for policy in policies:
        spellings.update(policy.spellings)
        elisions |= policy.elisions
    return Cutting(spellings, elisions)


def hint_phrases(policy: Policy, kinds: Iterable[str], cutting: Cutting) -> Iterator[Phrase]:
    for kind in kinds:
        for phrase in policy.words.get(HINT + kind, ()):
            yield Phrase(cutting.words(phrase), kind, kind)


def index_phrases(phrases: Iterable[Phrase], kinds: tuple[str, ...]) -> PhraseIndex:
    """Of two phrases of a kind with the same words, the first counts; `kinds` are ranked."""
    found: defaultdict[str, dict[tuple[tuple[str, ...], str], Phrase]] = defaultdict(dict)
    for phrase in phrases:
        if phrase.words:
            found[phrase.words[0]].setdefault((phrase.words, phrase.kind), phrase)
    ranks = {kind: place for place, kind in enumerate(kinds)}
    return {
        first: tuple(sorted(each.values(), key=lambda phrase: (-len(phrase.words), ranks[phrase.kind])))
        for first, each in found.items()
    }


def single_words(policies: Iterable[Policy], kind: str, cutting: Cutting) -> frozenset[str]:
    """The words of a class, each by itself; what is split off a word ("l'") also as titles have it ("l")."""
    phrases = (phrase for policy in policies for phrase in policy.words.get(HINT + kind, ()))
    words = {word for phrase in phrases for word in cutting.words(phrase)}
    return frozenset(words | {word.rstrip("'") for word in words})


@dataclass(frozen=True, slots=True)
class Hints:
    """The hint words of a domain's languages, ready to be looked up."""

    cutting: Cutting
    phrases: PhraseIndex
    small_words: frozenset[str]
    """Words that name nothing: articles, fillers."""


def make_hints(policies: Iterable[Policy]) -> Hints:
    known = tuple(policies)
    cutting = make_cutting(known)
    phrases = (phrase for policy in known for phrase in hint_phrases(policy, KINDS, cutting))
    small = single_words(known, "fillers", cutting) | single_words(known, "links", cutting)
    return Hints(cutting, index_phrases(phrases, KINDS), small)


def find_unspoken(text: str, hints: Hints) -> Why | None:
    """The engine reads no request at all. Where the words also ask, deny or put off, the model is wrong."""
    words = tuple(token.norm for token in hints.cutting.read(text).tokens)
    kinds: list[str] = []
    place, opens = 0, ""
    while place < len(words):
        found = next((each for each in hints.phrases.get(words[place], ()) if _stands(each, words, place)), None)
        if found:
            opens = found.kind if place == 0 else opens
            kinds.append(found.kind)
        place += len(found.words) if found else 1
    if text.rstrip().endswith("?") or opens == "asks":
        return Why.QUESTION
    return next((why for kind, why in _SPEAKS_AGAINST.items() if kind in kinds), None)


def _stands(phrase: Phrase, words: tuple[str, ...], place: int) -> bool:
    return words[place : place + len(phrase.words)] == phrase.words
