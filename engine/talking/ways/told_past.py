"""Whether a message tells what has happened: "the extract has arrived this afternoon". The day in it is when it
happened, and not when something is due."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.talking.moves.noticed import Noticed

_BETWEEN = 3
"""Words that may stand between "has" and what it has done."""
_ASKS_FOR = ("move", "correct", "note", "same", "add", "less")


def reports_today(noticed: Noticed) -> bool:
    """Whether it tells of today or of an earlier day, and says nothing of what shall be done about it."""
    told = noticed.told
    today = told.context.now.date().isoformat()
    past = bool(told.dates) and all(date.value[: len(today)] <= today for date in told.dates)
    words = noticed.weighed.reading.scene.words
    return past and tells_past(words, told.policy) and not any(_asks(cue, words, told.policy) for cue in noticed.cues)


def tells_hour_to_come(noticed: Noticed) -> bool:
    """ "they have telephoned to say they can only see her at a quarter past two"."""
    now = noticed.told.context.now.replace(tzinfo=None).isoformat()
    return any("T" in date.value and date.value > now for date in noticed.told.dates)


def _asks(cue: tuple[str, int, int], words: tuple[str, ...], policy: Policy) -> bool:
    """ "la sua prima frase": after an article it is one of a row, and nothing that shall be earlier."""
    name, first, _ = cue
    before = policy.word_classes.get(words[first - 1], frozenset()) if first else frozenset()
    return name in _ASKS_FOR and before.isdisjoint({"det", "title_article"})


def tells_past(words: tuple[str, ...], policy: Policy) -> bool:
    classes = [policy.word_classes.get(word, frozenset()) for word in words]
    for place, names in enumerate(classes):
        after = range(place + 1, min(place + 1 + _BETWEEN, len(words)))
        if "past_aux" in names and any(_is_past(words[each], policy) for each in after):
            return True
        if "past_alone" in names and "past_aux" not in names and place:
            return True
    return False


def _is_past(word: str, policy: Policy) -> bool:
    told = not {"past_alone", "did"}.isdisjoint(policy.word_classes.get(word, ()))
    return told or word in policy.word_stems or word.endswith(policy.past_endings)
