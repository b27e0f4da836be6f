"""One of the choices by its own words: "the doctor's, she sent it by phone", "hive three", where it is asked which."""

from __future__ import annotations

from engine.decision import Context, Pending
from engine.policy.values import Policy
from engine.talking.names.naming import is_like_one
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance

_MOST_UNKNOWN = 1
_LONGEST = 8
_PAUSES = frozenset(",;.!–—")
_ASKS = frozenset({"wh", "cue_add", "cue_move", "cue_show", "cue_undo", "cue_note", "no_word", "cancel_word", "every"})


def choose_option(pending: Pending, utterance: Utterance, context: Context, policy: Policy) -> str | None:
    """The one choice that the words before the first pause fit best; None where they may mean another or none."""
    words = _before_pause(utterance)
    kinds = {name for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)}
    said = {_plain(word, policy) for word in words if word not in policy.small_words and word.isalnum()}
    if not (said and pending.options) or len(words) > _LONGEST or not kinds.isdisjoint(_ASKS):
        return None
    titles = {each: _words_of(each, context, policy) for each in pending.options}
    fits = {each: {word for word in said if is_like_one(word, title)} for each, title in titles.items()}
    fits = {each: found | (said & titles[each]) for each, found in fits.items()}
    unknown = said.difference(*fits.values())
    best, *others = sorted(fits, key=lambda each: -len(fits[each]))
    if not fits[best] or len(unknown) > _MOST_UNKNOWN:
        return None
    return best if all(len(fits[each]) < len(fits[best]) for each in others) else None


def _before_pause(utterance: Utterance) -> tuple[str, ...]:
    words: list[str] = []
    for place, token in enumerate(utterance.tokens):
        before = utterance.text[utterance.tokens[place - 1].end : token.start] if place else ""
        if words and not _PAUSES.isdisjoint(before):
            break
        words.append(token.norm)
    return tuple(words)


def _words_of(task_id: str, context: Context, policy: Policy) -> frozenset[str]:
    task = context.tasks.find_by_id(task_id)
    return frozenset(_plain(word, policy) for word in title_words(task.title)) if task else frozenset()


def _plain(word: str, policy: Policy) -> str:
    """By its stem; a number by its figures, however it is written."""
    number = policy.numbers.get(word)
    return str(number) if number is not None else stem(fold(word), policy)
