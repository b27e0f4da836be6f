"""Names of days and months with one slip of the finger: "thurday", "friady", "febuary", "mercoldi".

Every such spelling is written out once for a language, so that a message costs a lookup a word and no comparison.
"""

from __future__ import annotations

import functools
import string
from collections.abc import Iterator, Sequence

from engine.dates.tokens import DateToken
from engine.dates.words import DateWords

_SHORTEST = 5
_SHORTEST_CHANGED = 6
"""A shorter name is too near to proper words ("march" and "match") for more than two letters swapped."""
_MOST_LANGUAGES = 32


@functools.lru_cache(maxsize=_MOST_LANGUAGES)
def slips_of(words: DateWords) -> dict[str, str]:
    """The name that each misspelling stands for; none that is a word itself or stands for two names."""
    found: dict[str, str] = {}
    known = words.not_misspelt | words.may_be_misspelt | words.triggers
    doubtful: set[str] = set()
    for name in sorted(words.may_be_misspelt):
        for slip in _slips(name):
            if found.setdefault(slip, name) != name:
                doubtful.add(slip)
    return {slip: name for slip, name in found.items() if slip not in known and slip not in doubtful}


@functools.lru_cache(maxsize=_MOST_LANGUAGES)
def triggers_of(words: DateWords) -> frozenset[str]:
    """Without a digit and without one of these, misspelt or not, there is no date in a text."""
    return words.triggers.union(slips_of(words))


def _slips(name: str) -> Iterator[str]:
    """One letter left out, put in, or another than the first taken for a wrong one; or two neighbours swapped."""
    if len(name) < _SHORTEST:
        return
    for place in range(len(name) - 1):
        if name[place] != name[place + 1]:
            yield name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    if len(name) < _SHORTEST_CHANGED:
        return
    for place in range(1, len(name)):
        before, after = name[:place], name[place + 1 :]
        yield before + after
        for letter in string.ascii_lowercase:
            if letter != name[place]:
                yield before + letter + after
            yield before + letter + name[place:]


def mend(tokens: Sequence[DateToken], words: DateWords) -> Sequence[DateToken]:
    """The same tokens, with misspelt names as they should be. Their places in the text stay."""
    slips = slips_of(words)
    if slips.keys().isdisjoint([token.word for token in tokens]):
        return tokens
    return [token._replace(word=slips[token.word]) if token.word in slips else token for token in tokens]
