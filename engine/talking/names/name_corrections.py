"""One word of a name put right in passing: "no, Bruno", "not Jenny, I mean Julie", "sorry, six eggs".

Only right after something got its name, and only where it is plain which word of it is meant.
"""

from __future__ import annotations

from rapidfuzz.fuzz import ratio

from engine.decision import Candidate, Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import is_chore
from engine.talking.names.renaming import find_after_same_word, find_contrast, puts_forward
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool, last_target
from engine.text.folding import fold
from engine.values import Argument, Provenance, Span, Task

_LONGEST, _LONGEST_TOLD = 7, 12
_MOST_NEW = 2
_ALIKE = 60
_SURE = 0.85


def put_name_right(told: Told) -> tuple[Outcome, ...] | None:
    facts, words = changing_tool(told), told.reading.scene.words
    argument = facts.argument("name") if facts else None
    target = last_target(told)
    task = told.context.tasks.find_by_id(target) if target else None
    named = told.situation.fresh and told.situation.effect in ("add", "change")
    if facts is None or not argument or not isinstance(task, Task) or not named or len(words) > _most(told):
        return None
    if told.context.pending or told.dates or told.reading.frames or "?" in told.reading.utterance.own_text:
        return None
    title = _new_title(task, told)
    if title is None:
        return None
    slot = Slot(argument, title, told.reading.utterance.span(0, len(words)))
    drafted = Draft(facts.intent, (Argument(argument, title, Provenance("words", slot.span)),), (slot,))
    reference = Reference(told.reading.utterance.text, slot.span, (Candidate(task.id, 0.95, "pronoun"),), task.id)
    basis = Basis("move:name", "correct", _SURE, (Factor("a word of its name put right", _SURE),), 0, len(words))
    return (judge_with(basis, facts, drafted, reference, told),)


def _most(told: Told) -> int:
    """Words: "no sorry, it's Leo I'm picking up, not Mia" tells more than the name."""
    return _LONGEST_TOLD if puts_forward(told) else _LONGEST


def _new_title(task: Task, told: Told) -> str | None:
    title = task.title
    if len(fold(title)) != len(title):
        return None
    first = _after_correction(told)
    named = name_target((first, _until_denied(told, first)), told) if first else None
    another = named is not None and named[0].task_id != task.id  # "no, the dentist": that was meant
    if another and told.situation.effect == "change":
        return None
    found = find_contrast(told, title) or (find_after_same_word(told, title) if first else None)
    if found and told.situation.effect == "change" and _names_another(found[1], task, told):
        return None  # "not the dentist, the parents evening": that one was meant
    if found:
        return title[: found[0].start] + told.reading.utterance.slice(found[1]) + title[found[0].end :]
    if len(told.reading.scene.words) > _LONGEST:
        return None
    new_words = told.reading.scene.words[first:]
    closer = _said_more_closely(title, first, told) if first and not another else None
    if closer:
        return closer
    if not first or not 1 <= len(new_words) <= _MOST_NEW or any(_is_mere(word, told) for word in new_words):
        return None
    if told.reading.guard or another:
        return None
    new = told.reading.utterance.slice(told.reading.utterance.span(first, len(told.reading.scene.words)))
    old_word = _meant_word(title, new, len(new_words))
    if old_word and fold(title[old_word.start : old_word.end]) in told.policy.small_words:
        return None  # "ten" is no slip for "the"
    return title[: old_word.start] + new + title[old_word.end :] if old_word else None


def _said_more_closely(title: str, first: int, told: Told) -> str | None:
    """ "no, grey paint", of "buy white paint" or "buy paint": what it is stays, and how it is said takes the place of
    how it was said."""
    words, policy = told.reading.scene.words, told.policy
    titled = _words_of(title)
    said = [fold(title[each.start : each.end]) for each in titled]
    last, new = words[-1], words[first:]
    if not 1 < len(new) <= _MOST_CLOSER or fold(last) not in said or told.reading.guard:
        return None
    head, before = said.index(fold(last)), new[:-1]
    known = [word for word in before if fold(word) in said]
    if known or all(_is_mere(word, told) for word in before) or is_chore(before[0], policy):
        return None
    start = head
    while start > 1 and head - start < len(before) and said[start - 1] not in policy.small_words:
        start -= 1
    utterance = told.reading.utterance
    said_new = utterance.slice(utterance.span(first, len(words)))
    return title[: titled[start].start] + said_new + title[titled[head].end :]


_MOST_CLOSER = 5


def _names_another(new: Span, task: Task, told: Told) -> bool:
    """Whether the words from the new ones on, or up to them, are the name of something else that is stored."""
    tokens = told.reading.utterance.tokens
    first = next(place for place, token in enumerate(tokens) if token.end > new.start)
    named = name_target((first, _until_denied(told, first)), told)
    return named is not None and named[0].task_id is not None and named[0].task_id != task.id


def _until_denied(told: Told, first: int) -> int:
    """ "I meant the badge, not Pilates": what is meant ends where it is said what is not."""
    words, classes = told.reading.scene.words, told.policy.word_classes
    denied = (place for place in range(first + 1, len(words)) if "negation" in classes.get(words[place], ()))
    return next(denied, len(words))


def _after_correction(told: Told) -> int:
    """The place after the words that say that something was wrong; 0 where there is none."""
    words, lexicon, place = told.reading.scene.words, told.policy.lexicon, 0
    while place < len(words):
        ends = [end for name in _CORRECTING for end in lexicon.ends(name, words, place)]
        if not ends:
            break
        place = max(ends)
    return place


_CORRECTING = ("cue_correct", "corrector", "no_word")


def _is_mere(word: str, told: Told) -> bool:
    return word in told.policy.small_words or not _MERE.isdisjoint(told.policy.word_classes.get(word, ()))


_MERE = frozenset({"closer", "opener", "interjection", "pronoun", "yes_word", "no_word", "cancel_word", "chore"})


def _meant_word(title: str, new: str, size: int) -> Span | None:
    """The word of the title that the new one stands for: one that looks like it, or, of a name, the only other name."""
    words = _words_of(title)
    alike = [each for each in words if size == 1 and _is_alike(title[each.start : each.end], new)]
    if len(alike) == 1:
        return alike[0]
    names = [each for each in words[1:] if title[each.start].isupper()]
    return names[0] if len(names) == 1 and new[:1].isupper() else None


def _is_alike(old: str, new: str) -> bool:
    one, other = fold(old), fold(new)
    figures = one.isdigit() and other.isdigit()
    return one != other and (figures or (one[:1] == other[:1] and ratio(one, other) >= _ALIKE))


def _words_of(title: str) -> list[Span]:
    spans, start = [], 0
    for word in title.split(" "):
        spans.append(Span(start, start + len(word)))
        start += len(word) + 1
    return [each for each in spans if each.end > each.start]
