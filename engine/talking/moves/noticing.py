"""Reads a message together with the store and the conversation: what of them speaks for what it does."""

from __future__ import annotations

from engine.dates import DateMatch, find_shift
from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.weighing import Weighed, dates_of
from engine.slots.levels import read_level
from engine.slots.titles import date_spans, inside
from engine.talking.days.same_day import with_same_day
from engine.talking.days.telling_time import without_often, without_told_time
from engine.talking.moves.noticed import POINTING, Noticed, begun
from engine.talking.moves.things import list_things
from engine.talking.names.mentions import find_mentioned, told_after_order, told_as_limit, told_as_reason
from engine.talking.names.naming import is_chore
from engine.talking.situation import read_situation
from engine.talking.values import Told
from engine.text.normalise import Utterance
from engine.text.reading_once import once_a_message

_WORDS_LOOKED_AT = 60
_LONGEST_SHIFT = 1000
"""Characters: nobody says "an hour later" in more."""
_WHOLE = 0.8
_CUE = "cue_"


@once_a_message
def begin(utterance: Utterance, weighed: Weighed, context: Context, policy: Policy) -> Told:
    """What a message is heard from: its dates, also one that only the conversation knows, and where that stands."""
    situation = read_situation(context, policy)
    dates = with_same_day(
        _dates_in_talk(utterance, weighed, context, policy), utterance, weighed.reading, situation, context, policy
    )
    if not weighed.reading.frames:
        dates = without_often(dates, context.now)
    return Told(weighed.reading, without_told_time(dates, utterance, policy), situation, context, policy)


def _dates_in_talk(utterance: Utterance, weighed: Weighed, context: Context, policy: Policy) -> tuple[DateMatch, ...]:
    """The dates of a message; where its words alone have no day, also days that could be part of a name elsewhere; and
    with a day the hour that stands apart from it: "Bo says one o'clock suits her better on Sunday"."""
    has_day, has_time = (any(date.has_day for date in weighed.dates), any("T" in date.value for date in weighed.dates))
    if (has_day and has_time) or not utterance.tokens:
        return weighed.dates
    frame = weighed.reading.frames[0].frame if weighed.reading.frames else None
    if has_day and frame:
        return weighed.dates  # "add zips of 20 cm for Thursday"
    facts = policy.catalogue.by_intent.get(frame.intent) if frame and not frame.weak else None
    if facts is not None and facts.effect == "add":
        return weighed.dates
    reads = facts is not None and facts.effect == "read"
    if not (begun(context) or reads or _begins_with_day(utterance, policy)):
        return weighed.dates
    found = dates_of(utterance, context, policy, in_talk=True)
    timed = any("T" in date.value for date in found)
    return weighed.dates if has_day and not timed and not _puts_right_first(found, utterance, policy) else found


def _begins_with_day(utterance: Utterance, policy: Policy) -> bool:
    """ "sabato chiamare Ugo", "martedì dentista": a day, and after it what is to be done, or what is on."""
    words = [token.norm for token in utterance.tokens]
    begins = len(words) > 1 and "date_word" in policy.word_classes.get(words[0], ())
    return begins and (is_chore(words[1], policy) or len(words) <= _FEW)


_FEW = 5


def _in_sayings(cues: tuple[tuple[str, int, int], ...], words: tuple[str, ...], policy: Policy) -> frozenset[int]:
    """ "la bici è a posto" names no "posto barca": a saying that begins with a small word, for what is done."""
    sayings = [(first, last) for name, first, last in cues if name == "done" and words[first] in policy.small_words]
    return frozenset(at for first, last in sayings for at in range(first, last))


def _puts_right_first(found: tuple[DateMatch, ...], utterance: Utterance, policy: Policy) -> bool:
    """ "wait no friday, saturday I am away": a day with nothing before it but words that put something right."""
    if not found:
        return False
    before = [token.norm for token in utterance.tokens if token.end <= found[0].span.start]
    return bool(before) and all(_PUTS_RIGHT & policy.word_classes.get(word, frozenset()) for word in before)


_PUTS_RIGHT = frozenset({"corrector", "no_word", "cue_correct"})


def _asking_words(weighed: Weighed, policy: Policy) -> range:
    """ "wipe out the call": the verb that asks for deleting, before what is named, is no word of a name."""
    lead = weighed.reading.frames[0] if weighed.reading.frames else None
    facts = policy.catalogue.by_intent.get(lead.frame.intent) if lead else None
    if lead is None or facts is None or facts.effect != "remove" or lead.start > weighed.reading.scene.opening:
        return range(0)
    return range(lead.start, min((first for _, first, last in lead.slots if last > first), default=lead.start))


def _told_why(told: Told, utterance: Utterance, policy: Policy) -> int:
    """The first word after the comma of "no wait friday, thursday I have the review": what is named there is why."""
    text, tokens = utterance.text, utterance.tokens
    if not told.situation.spoken_of or not _puts_right_first(told.dates, utterance, policy):
        return len(tokens)
    after = next((at for at, token in enumerate(tokens) if token.start >= told.dates[0].span.end), len(tokens))
    return after if after < len(tokens) and "," in text[tokens[after - 1].end : tokens[after].start] else len(tokens)


_GOES_ON = frozenset({"add", "change"})


@once_a_message
def notice(utterance: Utterance, weighed: Weighed, told: Told) -> Noticed:
    dates, context, policy = told.dates, told.context, told.policy
    words = weighed.reading.scene.words
    looked_at = range(min(len(words), _WORDS_LOOKED_AT))
    cues = tuple(
        [
            (name.removeprefix(_CUE), place, place + length)
            for place in looked_at
            for name, length in policy.lexicon.beginning(_CUE, words, place)
        ]
    )
    spans = date_spans(dates, utterance)
    small, asking = policy.small_words, _asking_words(weighed, policy)
    content = tuple(
        [
            place
            for place, word in enumerate(words[:_WORDS_LOOKED_AT])
            if word not in small and not (spans and inside(utterance.tokens[place], spans))
        ]
    )
    facts = next((tool for tool in policy.catalogue.tools if tool.argument("level")), None)
    level = read_level(words, policy, facts) if facts else None
    told_why = _told_why(told, utterance, policy)
    goes_on = told.situation.spoken_of and told.situation.effect in _GOES_ON and "?" not in utterance.own_text
    aside = told_as_reason(words, policy) | told_after_order(utterance, words, policy)
    aside |= told_as_limit(utterance, words, policy) if goes_on else frozenset()
    aside |= _in_sayings(cues, words, policy)
    named = tuple([place for place in content if place not in asking and place < told_why and place not in aside])
    mentioned = find_mentioned(utterance, words, named, context, policy)
    # "complete delete old backups": what is in a title that is said whole asks for nothing.
    titled = {place for each in mentioned if each.fit >= _WHOLE for place in each.places}
    if spans:
        titled.update([place for place in range(len(words)) if inside(utterance.tokens[place], spans)])  # "next week"
    cues = tuple([cue for cue in cues if not titled.issuperset(range(cue[1], cue[2]))]) if titled else cues
    brief = utterance.tokens and len(utterance.text) <= _LONGEST_SHIFT
    shift = find_shift(utterance.text, policy.date_words) if brief else None
    if shift and not utterance.tokens[0].start <= shift.span.start < utterance.tokens[-1].end:
        shift = None  # another clause says it
    points = not policy.lexicon.names(words).isdisjoint(POINTING) and any(
        policy.lexicon.among(POINTING, words, place) for place in looked_at
    )
    noticed = Noticed(told, utterance, weighed, cues, mentioned, level, shift, content, points)
    return Noticed(told, utterance, weighed, cues, mentioned, level, shift, content, points, list_things(noticed))
