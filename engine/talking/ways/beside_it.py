"""What has the form of a way of talking and is beside it: where its words say something else."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.policy.patterns import GAP, Slots
from engine.policy.values import Policy, Way
from engine.reading.leaving_out import leaves_out
from engine.slots.titles import date_spans, inside
from engine.talking.days.why_after_day import is_followed_by_why
from engine.talking.names.named_targets import name_target
from engine.talking.values import Told
from engine.text.normalise import Utterance

_OF_STORED = ("change", "finish", "remove")
_OF_ANY = (*_OF_STORED, "add", "read")


def is_beside_it(way: Way, start: int, slots: Slots, told: Told) -> bool:
    """ "it is 9, my mistake" puts a number right and takes nothing back; "ho detto male" has no name in it; "no need to
    water them" is no "no" to something else."""
    words, policy = told.reading.scene.words, told.policy
    targets = [(first, last) for name, first, last in slots if name == "target"]
    if targets and "," in told.reading.utterance.text and any(_goes_past_its_end(*each, told) for each in targets):
        return True
    facts = policy.catalogue.by_intent.get(way.intent)
    if facts and facts.effect in ("finish", "remove"):
        if leaves_out(words, policy):
            return True
        to_come = "still_to_come" in policy.lexicon.names(words)  # "the presents are to be done"
        return to_come and any(
            policy.lexicon.ends("still_to_come", words, place) for each in targets for place in range(*each)
        )
    if way.act == "undo":
        return any(word.isdigit() for word in words[:start])
    if way.act == "continue":
        return any(_tells(words[first:last], policy) for name, first, last in slots if name in _NAMED)
    return way.act == "correct" and _corrects_otherwise(way, start, slots, told)


def _goes_past_its_end(first: int, last: int, told: Told) -> bool:
    return _ends_with_it(first, last, told) or (len(told.dates) > 1 and _goes_past_a_day(first, last, told))


def _goes_past_a_day(first: int, last: int, told: Told) -> bool:
    """ "put the tent down for Tuesday, Stan has it this week": what follows the day says why, and names nothing."""
    text, span = told.reading.utterance.text, told.reading.utterance.span(first, last)
    days = [date.span.end for date in told.dates if span.start < date.span.start and date.span.end < span.end]
    return any("," in text[day : span.end] for day in days)


def _tells(words: tuple[str, ...], policy: Policy) -> bool:
    """ "my sister has to pay the bill too": who has to do what is told, and nothing is named."""
    return any("finite" in policy.word_classes.get(word, ()) for word in words)


_NAMED = ("object", "target")


def _corrects_otherwise(way: Way, start: int, slots: Slots, told: Told) -> bool:
    """What looks as if something were put right, and is a list, a reason, a day or a question."""
    words, policy = told.reading.scene.words, told.policy
    if policy.lexicon.says("everything", words) or ("date" in way.needs and _gives_no_day(told)):
        return True
    if "level" in way.needs and policy.lexicon.says("cue_ones", words):
        return True  # "only the low priority ones" asks for a list
    if "target" in way.needs and ("?" in told.reading.utterance.own_text or _asks(words, policy)):
        return True  # "and when was the one for Tom?"
    if any(_is_no_such(slot, told) for slot in slots):
        return True
    needless = bool(policy.lexicon.ends("no_need", words, start))
    return needless or any(_only_corrects(slot, told) for slot in slots if slot[0] != GAP)


def _is_no_such(slot: tuple[str, int, int], told: Told) -> bool:
    """Whether what stands where a note, a target or a name is expected is none."""
    name, first, last = slot
    utterance = told.reading.utterance
    if name == "name" and any(_is_date_and_why(date, first, utterance, told.policy) for date in told.dates):
        return True
    words, policy = told.reading.scene.words, told.policy
    if name == "note":  # "put that on Wednesday at 7", "note on the Ferry Close one: keys with Gemma"
        return _is_only_date((first, last), told) or _names_whose(first, last, told)
    if name == "target":  # "no sorry, Wednesday, on Thursday I've got the dentist" is no other target
        return _begins_with_day(words[first:last], policy) or _denies(words[first:last], policy)
    if name == "tail":  # "no rush on the plants", right after the bread was added
        return _names_another(first, last, told, _OF_ANY)
    return name == "name" and _names_another(first, last, told)


def _is_date_and_why(date: DateMatch, first: int, utterance: Utterance, policy: Policy) -> bool:
    """ "half past four they close at five" is no name."""
    return date.span.start == utterance.tokens[first].start and is_followed_by_why(date, utterance, policy)


def _names_whose(first: int, last: int, told: Told) -> bool:
    """Whether it begins with what it is a note of, up to a colon: nothing else gets it."""
    tokens, text = told.reading.utterance.tokens, told.reading.utterance.text
    led = "mention_lead" in told.policy.word_classes.get(tokens[first].norm, ())
    return led and ":" in text[tokens[first].end : tokens[last - 1].start]


def _names_another(first: int, last: int, told: Told, after: tuple[str, ...] = _OF_STORED) -> bool:
    """ "I meant the badge, not Pilates", after Pilates was changed: the badge is stored, too, and no new name."""
    denied = [at for at in range(first + 1, last) if _denies(told.reading.scene.words[at : at + 1], told.policy)]
    named = name_target((first, min(denied, default=last)), told) if told.situation.effect in after else None
    return named is not None and named[0].task_id is not None and named[0].task_id not in told.situation.spoken_of[:1]


def _gives_no_day(told: Told) -> bool:
    """ "just the ones for this week" asks for a list, and "on Thursday I can't" names no other day."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    names = ("cue_ones", "unable") if len(told.dates) < 2 else ("cue_ones",)
    return any(lexicon.says(name, words) for name in names)


def _asks(words: tuple[str, ...], policy: Policy) -> bool:
    return any(
        name.startswith("cue_ask") for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)
    )


def _is_only_date(place: tuple[int, int], told: Told) -> bool:
    """Also with a small word before it: "put that one on Friday"."""
    spans, small = date_spans(told.dates, told.reading.utterance), told.policy.small_words
    tokens = told.reading.utterance.tokens[slice(*place)]
    return any(inside(token, spans) for token in tokens) and all(
        inside(token, spans) or token.norm in small for token in tokens
    )


def _ends_with_it(first: int, last: int, told: Told) -> bool:
    """ "they have rung me, it is now at eleven": "it" is no part of a name that a comma stands in."""
    tokens, text = told.reading.utterance.tokens, told.reading.utterance.text
    points = "pronoun" in told.policy.word_classes.get(tokens[last - 1].norm, ())
    return points and last - first > 1 and "," in text[tokens[last - 2].end : tokens[last - 1].start]


def _begins_with_day(words: tuple[str, ...], policy: Policy) -> bool:
    classes = (policy.word_classes.get(word, frozenset()) for word in words if word not in policy.small_words)
    return "date_word" in next((names for names in classes if names.isdisjoint(_CORRECTING)), ())


def _denies(words: tuple[str, ...], policy: Policy) -> bool:
    """ "the one for the jacket I don't need any more" says what is off, not which one was meant."""
    return any("negation" in policy.word_classes.get(word, ()) for word in words)


_CORRECTING = frozenset({"corrector", "no_word", "interjection", "opener"})


def _only_corrects(slot: tuple[str, int, int], told: Told) -> bool:
    """ "ho detto male": the end of such a phrase is no name."""
    _, first, last = slot
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    return any(last in lexicon.ends("corrector", words, place) for place in range(max(0, first - 3), first))
