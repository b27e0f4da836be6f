"""A message in pieces: a request within a story, or several in one breath."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.reading.requests import part
from engine.text.normalise import Utterance
from engine.text.reading_once import once_a_message

_MOST = 8
_SHORTEST = 2
_JOINER = "clause_joiner"
_SIGNS, _FIRST = frozenset(",;:\n–—…"), frozenset({0})


def split_clauses(utterance: Utterance, policy: Policy) -> tuple[Utterance, ...]:
    """At the ends of sentences, commas, dashes, and words such as "anyway" and "so"; one piece if there is none."""
    one = utterance.sentence_starts <= _FIRST and _SIGNS.isdisjoint(utterance.text)
    if one and policy.lexicon.names(utterance.words).isdisjoint((_JOINER, "splitter")):  # most messages
        return (utterance,)
    return _split(utterance, policy)


@once_a_message
def _split(utterance: Utterance, policy: Policy) -> tuple[Utterance, ...]:
    text, tokens, words = utterance.text, utterance.tokens, utterance.words
    cuts = [0]
    for place in range(1, len(tokens)):
        if utterance.quotes and utterance.is_quoted(place):
            continue
        between = text[tokens[place - 1].end : tokens[place].start]
        if ":" in between and _speaks_of_note(words[cuts[-1] : place], policy):
            break  # what stands after it is the note's text, whatever it says
        if ":" in between and _only_orders(words[cuts[-1] : place], policy):
            continue  # "and add: pay the gardener"
        joiner = _joins(words, place, policy) or _begins_anew(words, place, policy)
        joiner = joiner or _tells_another(words, cuts[-1], place, policy)
        joiner = joiner and not _names_another_day(words, place, policy) and not _is_in_stretch(words, place, policy)
        joiner = joiner and not _also_then(words, place, policy)
        if (joiner or not _SIGNS.isdisjoint(between) or place in utterance.sentence_starts) and (
            place - cuts[-1] >= _SHORTEST
        ):
            cuts.append(place)
    while len(cuts) > 1 and _is_value_of_order(words, cuts[-1], policy):
        cuts.pop()
    if len(cuts) > 1 and _is_day_of_question(words, cuts[1], policy):
        cuts.pop(1)
    ends = [*cuts[1:], len(tokens)]
    if len(cuts) == 1 or len(cuts) > _MOST:
        return (utterance,)
    return tuple(part(utterance, start, end, policy) for start, end in zip(cuts, ends, strict=True))


def _only_orders(words: tuple[str, ...], policy: Policy) -> bool:
    """ "and add:", "add a task for the day before:", "new task for the same day:", "same day:"."""
    if words and len(_pointed_days(words, policy)) == len(words):
        return True
    said = [policy.word_classes.get(word, frozenset()) for word in words if word not in policy.small_words]
    kinds = frozenset().union(*said)
    return (not said or not _HEADING.isdisjoint(kinds)) and all(
        word in policy.small_words
        or word[:1].isdigit()
        or not _OF_HEADING.isdisjoint(policy.word_classes.get(word, ()))
        for word in words
    )


_HEADING = frozenset({"add", "cue_add"})
_OF_HEADING = _HEADING | frozenset({"item", "date_word", "light", "function"})


def _is_day_of_question(words: tuple[str, ...], cut: int, policy: Policy) -> bool:
    """ "on Wednesday, what do I have?", "in October, then, what is left?": a day that is asked about moves nothing."""
    before = [policy.word_classes.get(word, frozenset()) for word in words[:cut] if word not in policy.small_words]
    if any("no_word" in policy.word_classes.get(word, ()) for word in words[:cut]):
        return False
    days = all(not names.isdisjoint(_OF_DAYS) for names in before) and any("date_word" in names for names in before)
    asks = [word for word in words[cut:] if policy.word_classes.get(word, frozenset()).isdisjoint(_JOINING)]
    return days and any("wh" in policy.word_classes.get(word, ()) for word in asks[:2])


_OF_DAYS, _JOINING = frozenset({"date_word", "splitter", "opener", _JOINER}), frozenset({"splitter", "opener", _JOINER})


def _is_value_of_order(words: tuple[str, ...], cut: int, policy: Policy) -> bool:
    """ "add the cake, for Friday, high priority", "move the bank to the 21st, 3 pm": what begins with a word that adds
    or moves has the values at its end, too. "By Monday" moves nothing by itself; "the same day" is no day alone."""
    begins = [policy.word_classes.get(word, frozenset()) for word in words[:_OPENING] if word not in policy.small_words]
    plain_day = _is_when(words[cut:], policy) and not _pointed_days(words[cut:], policy)
    orders = frozenset({"cue_move"}) if plain_day else _ORDERING
    return only_values(words[cut:], policy) and any(not orders.isdisjoint(each) for each in begins)


_ORDERING, _OPENING = frozenset({"add", "add_lead", "cue_add", "cue_move"}), 4


def only_values(words: tuple[str, ...], policy: Policy) -> bool:
    """ "…, today, high priority", "…, 3 pm" at the end ask for nothing by themselves; a title may have "high" in it."""
    return _is_when(words, policy, _LEVELS | {"date_word"})


def _is_when(words: tuple[str, ...], policy: Policy, names: frozenset[str] = frozenset({"date_word"})) -> bool:
    """Whether a day or a time is all that is said."""
    pointed = _pointed_days(words, policy)
    kinds = [(word, policy.word_classes.get(word, frozenset())) for at, word in enumerate(words) if at not in pointed]
    said = bool(pointed) or any(not kind.isdisjoint(names) or ":" in word for word, kind in kinds)
    return said and all(
        word in policy.small_words or word[:1].isdigit() or not kind.isdisjoint(names) for word, kind in kinds
    )


def _pointed_days(words: tuple[str, ...], policy: Policy) -> set[int]:
    """The words of "the same day", "at that time"."""
    lexicon = policy.lexicon
    if _POINTED.isdisjoint(lexicon.names(words)):  # nearly always
        return set()
    ends = ((at, end) for at in range(len(words)) for name in _POINTED for end in lexicon.ends(name, words, at))
    return {place for first, last in ends for place in range(first, last)}


_POINTED = frozenset({"cue_same_day", "cue_same_moment"})


_LEVELS = frozenset({"level_noun", "level_high", "level_medium", "level_low"})


def gives_note(utterance: Utterance, policy: Policy) -> bool:
    """ "on the dentist write as a note: bring the card": a request by its form, whatever was asked."""
    before, colon, after = utterance.text.partition(":")
    words = tuple(token.norm for token in utterance.tokens if token.end <= len(before))
    return bool(colon) and bool(after.strip()) and len(words) > 1 and _speaks_of_note(words, policy)


def _joins(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "so I go", but not the one in "it is not so urgent"."""
    classes = policy.word_classes
    return _JOINER in classes.get(words[place], ()) and classes.get(words[place - 1], frozenset()).isdisjoint(_MEASURES)


_MEASURES = frozenset({"level_joiner", "negation"})
"""After these a word like "so" says how much."""


def _begins_anew(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "I booked the room and I asked Ann": who does something is said once more."""
    after = words[place + 1] if place + 1 < len(words) else ""
    return words[place] in policy.splitters and "subject" in policy.word_classes.get(after, ())


def _tells_another(words: tuple[str, ...], since: int, place: int, policy: Policy) -> bool:
    """ "lead bought and blanket washed", "emailed Bo and did the laundry": on both sides of the "and" something else is
    told as done, in the same order of words; not "washed and ironed the shirts"."""
    if words[place] not in policy.splitters or not _SHORTEST <= place - since <= _FEW:
        return False
    ends = next((at for at in range(place + 1, len(words)) if words[at] in policy.splitters), len(words))
    before, after = words[since:place], words[place + 1 : min(ends, place + 1 + _FEW)]
    if not len(after) >= _SHORTEST:
        return False
    first = [tells_deed(said[0], policy) for said in (before, after)]
    last = [any(tells_deed(word, policy) for word in said[-_PARTICLE:]) for said in (before, after)]
    return all(first) or (all(last) and not any(first))


_FEW, _PARTICLE = 5, 2
"""As many words as are told in few; a deed may have one more after it: "portato fuori"."""


_DEEDS = frozenset({"did", "settled", "gone_off"})


def tells_deed(word: str, policy: Policy) -> bool:
    """Whether the word may tell what was done."""
    known = _DEEDS & policy.word_classes.get(word, frozenset())  # asked this way round, it looks at these classes alone
    return bool(known) or word in policy.word_stems or word.endswith(policy.past_endings)


def _names_another_day(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """The "and tomorrow" of "what's on today and tomorrow"."""
    days = place > 0 and all(
        "date_word" in policy.word_classes.get(word, ()) for word in (words[place - 1], *words[place + 1 :])
    )
    return days and words[place] in policy.splitters


def _also_then(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """The "also this year" of "alone at Easter also this year": the day by itself would put something right."""
    return "cue_same" in policy.word_classes.get(words[place], ()) and _is_when(words[place + 1 :], policy)


def _is_in_stretch(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """The "and" of "between now and Sunday"."""
    near = range(max(0, place - _LONGEST_STRETCH), place)
    return any(end > place for first in near for end in policy.lexicon.ends("up_to", words, first))


_LONGEST_STRETCH = 3


def _speaks_of_note(words: tuple[str, ...], policy: Policy) -> bool:
    return policy.lexicon.says(_NOTE, words)


_NOTE = "cue_note"
