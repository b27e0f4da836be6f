"""Slips that nobody reads yet, as spellings."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.distance import OSA

from engine.editing.edits import AddSpelling, Edit, SeveralEdits
from engine.policy.values import Policy
from engine.text.folding import title_words
from engine.text.normalise import normalise
from engine.why import WhyNot
from evals.suggesting.misread import Misread

_SLIPS, _SHORT = 2, 4
_MOST_THINGS = 50


def edit_spellings(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Words that nobody knows and that look like words of the ways of asking, or like words that things here are called
    by, where these are words of the language and no names. All of them at once, too: who slips, slips twice."""
    known = policy.weights.vocabulary | policy.real_words
    strange = {
        token.norm: None
        for token in normalise(misread.text, policy.spellings, policy.elisions).tokens
        if token.norm.isalpha() and token.norm not in known and token.norm not in policy.word_classes
    }
    telling = _telling(misread, why, policy)
    likeliest: list[AddSpelling] = []
    for word in strange:
        most = _SLIPS if len(word) > _SHORT else 1
        near = [each for each in telling if OSA.distance(word, each) <= most and len(each) > 2]
        # A letter is left out more often than put in: "orderd" is "ordered" rather than "order".
        meant = sorted(near, key=lambda each: (OSA.distance(word, each), len(each) < len(word), each))[:2]
        likeliest += [AddSpelling(word, each) for each in meant[:1]]
        yield from (AddSpelling(word, each) for each in meant)
    if len(likeliest) > 1:
        yield SeveralEdits(tuple(likeliest))


def _telling(misread: Misread, why: WhyNot, policy: Policy) -> set[str]:
    found = {word for name in ("misspelt", "acting", "did", "item", "items") for word in policy.words.get(name, ())}
    found |= {miss.part.strip("()[]") for miss in why.misses if miss.kind == "swap"}
    known = policy.weights.vocabulary | policy.real_words
    for task in misread.context.tasks.recent(_MOST_THINGS):
        found |= {word for word in title_words(task.title) if word in known}
    return {word for word in found if " " not in word}
