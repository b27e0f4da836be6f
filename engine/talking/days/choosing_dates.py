"""Which of the dates of a message a task shall have, and a bare hour where only a time can be meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.dates import DateMatch, find_hours
from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.slots.levels import read_level
from engine.slots.titles import date_spans
from engine.slots.told_behind import is_bare_number, told_behind
from engine.talking.days.telling_time import without_told_time
from engine.talking.days.why_after_day import is_followed_by_why, is_led_by_correction
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.pointing import unexplained
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH, Span, Task

_OLD_VALUE, _NEGATION = "old_value", "negation"
_NEAR = 3
_LONGEST = 200
"""Characters: nobody puts an hour right in more."""
_FIGURES = re.compile(r"\d+")


def pick_date(noticed: Noticed, task: object = None) -> DateMatch | None:
    """The date that shall be: of several, the last that is not the old one ("not on Friday but …")."""
    spans = date_spans(noticed.told.dates, noticed.utterance)
    dates = [each for each in noticed.told.dates if each.span in spans and not only_repeats(each, noticed.told.context)]
    put_right = _put_right(dates, noticed) or _moved_to(dates, noticed)
    if put_right:
        return put_right
    if task and dates and _are_told_behind(dates, noticed):
        return None
    due = str(getattr(task, "due_date", None) or "")
    new = without_old(dates, noticed.weighed.reading, noticed.told.policy)
    said = [each for each in new if not _is_denied(each.span, noticed)]  # "he can't come on Monday, on Tuesday"
    if not said and (all(_is_due(each, due) for each in dates) or _says_unable(noticed)):
        return None  # "she can't on Saturday", "on Thursday I can't do the dentist" say no other day
    said = said or new
    other = [each for each in said if not _is_due(each, due)] or said or dates
    days = [each for each in other if each.has_day]
    if not other:
        return None
    date = (days or other)[-1]
    return replace(date, alternatives=()) if len(dates) > 1 else date  # "in the morning, at ten"


def only_repeats(date: DateMatch, context: Context) -> bool:
    """ "make it weekly" says how often, and no day."""
    today = context.now.date().isoformat()
    return date.recurring and date.value.startswith(today) and date.text.count(" ") < _WITH_A_DAY


_WITH_A_DAY = 1


def _says_unable(noticed: Noticed) -> bool:
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    return lexicon.says("unable", words)


def _is_due(date: DateMatch, due: str) -> bool:
    """Whether it is so already; of an hour alone, whether that is the hour."""
    if date.has_day:
        return bool(due) and due.startswith(date.value)
    return "T" in date.value and due[DAY_LENGTH:] == date.value[DAY_LENGTH:]


def puts_day_right(noticed: Noticed) -> bool:
    """Whether a day comes first, after a word that puts something right, and then why."""
    spans = date_spans(noticed.told.dates, noticed.utterance)
    return _put_right([each for each in noticed.told.dates if each.span in spans], noticed) is not None


def _put_right(dates: list[DateMatch], noticed: Noticed) -> DateMatch | None:
    """ "no, at ten, at nine they are closed": what puts something right comes first, and then why."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    if len(dates) < 2 or not words or classes.get(words[0], frozenset()).isdisjoint(_PUTS_RIGHT):
        return None
    utterance, policy = noticed.utterance, noticed.told.policy
    if is_led_by_correction(dates[0], utterance, policy) and is_followed_by_why(dates[0], utterance, policy):
        return replace(dates[0], alternatives=())
    first, *others = (len(_said_beside(each.span, noticed)) for each in dates)
    old = is_old(dates[0].span, noticed.weighed.reading, noticed.told.policy)
    return replace(dates[0], alternatives=()) if first == 0 < min(others) and not old else None


def _moved_to(dates: list[DateMatch], noticed: Noticed) -> DateMatch | None:
    """ "move it to Saturday, today and tomorrow we are out": the day in the clause of the verb; the others say why."""
    tokens = noticed.utterance.tokens
    verbs = [first for name, first, _ in noticed.cues if name == "move"] or _first_verb(noticed)
    if len(dates) < 2 or len(verbs) != 1:
        return None
    end = _clause_end(verbs[0], dates, noticed)
    here = [each for each in dates if tokens[verbs[0]].start < each.span.start < tokens[end].start] if end else []
    reading, policy = noticed.weighed.reading, noticed.told.policy
    plain = len(here) == 1 and here[0].has_day and not is_old(here[0].span, reading, policy)
    others = [each for each in dates if each not in here]
    why = plain and all(_said_beside(each.span, noticed) for each in others)
    return replace(here[0], alternatives=()) if why and not _is_denied(here[0].span, noticed) else None


def _are_told_behind(dates: list[DateMatch], noticed: Noticed) -> bool:
    """ "make that high, the inspector is coming on Thursday": what it shall be is said first, and then why."""
    words, tokens = noticed.weighed.reading.scene.words, noticed.utterance.tokens
    comma = told_behind(noticed.utterance, words, noticed.told.policy)
    if not comma or any(each.span.start < tokens[comma].start for each in dates):
        return False
    number = is_bare_number(words, comma - 1, noticed.told.policy)
    return number or _says_level(words[:comma], noticed) or _says_hour(comma, noticed)


def _says_level(words: tuple[str, ...], noticed: Noticed) -> bool:
    catalogue, policy = noticed.told.policy.catalogue, noticed.told.policy
    facts = next((tool for tool in catalogue.tools if tool.argument("level")), None)
    return bool(facts and noticed.level and read_level(words, policy, facts))


def _says_hour(comma: int, noticed: Noticed) -> bool:
    """ "make it 11, they have a group in there till half ten"."""
    context, policy, tokens = noticed.told.context, noticed.told.policy, noticed.utterance.tokens
    hours = find_hours(noticed.utterance.text, context.now, policy.date_words)
    first = [each for each in hours if each.span.start < tokens[comma].start]
    return len(first) == 1 and _is_moved_to(first[0].span, noticed)


def _first_verb(noticed: Noticed) -> list[int]:
    """ "put the tent down for Tuesday, Stan has it this week"."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    return [0] if words and is_chore(words[0], policy) else []


def _clause_end(verb: int, dates: list[DateMatch], noticed: Noticed) -> int:
    """Where the clause of the verb ends: at a comma; without one, where somebody is told of after the first day ("move
    it to Monday they want it up over the weekend"). 0 where it goes on to the end."""
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    after = range(verb + 1, len(tokens))
    comma = next((at for at in after if "," in text[tokens[at - 1].end : tokens[at].start]), 0)
    first = next((each.span.end for each in dates if each.span.start > tokens[verb].start), 0)
    if comma or not first:
        return comma
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return next((at for at in after if tokens[at].start >= first and _TELLS & classes.get(words[at], _NO_CLASS)), 0)


_TELLS, _NO_CLASS = frozenset({"subject", "reason_word", "relative_word"}), frozenset[str]()


def _said_beside(span: Span, noticed: Noticed) -> list[int]:
    """The words between the signs around a date that say something of their own."""
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    first, last = _places(span, noticed.utterance)
    while first > 0 and not text[tokens[first - 1].end : tokens[first].start].strip():
        first -= 1
    while last < len(tokens) and not text[tokens[last - 1].end : tokens[last].start].strip():
        last += 1
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return [
        place
        for place in noticed.content
        if first <= place < last and _PUTS_RIGHT.isdisjoint(classes.get(words[place], ()))
    ]


_PUTS_RIGHT = frozenset({"corrector", "no_word", "cue_correct"})


def find_bare_hour(noticed: Noticed, task: Task) -> DateMatch | None:
    """ "make it 6", "9, not 8": the one number of a message about something that has an hour, and no number in its
    name or note that it could put right instead."""
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    if "T" not in (task.due_date or "") or len(text) > _LONGEST or _FIGURES.search(f"{task.title} {task.description}"):
        return None
    hours = [
        each
        for each in find_hours(text, noticed.told.context.now, noticed.told.policy.date_words)
        if tokens and tokens[0].start <= each.span.start < tokens[-1].end and not _counts(each.span, noticed)
    ]
    hours = list(without_told_time(tuple(hours), noticed.utterance, noticed.told.policy))
    moved = [each for each in hours if _is_moved_to(each.span, noticed)]
    hours = moved[-1:] or hours  # "they close at one, so make it 11"
    new = [each for each in hours if not is_old(each.span, noticed.weighed.reading, noticed.told.policy)]
    if len(new) > 1:  # "make it 8, he is never up at 7"
        new = [each for each in new if not _is_denied(each.span, noticed)]
    return new[0] if len(new) == 1 else None


def is_moved_after_why(hour: DateMatch, date: DateMatch, noticed: Noticed) -> bool:
    """ "she's only in until three, so make it 2": the other hour stands in the clause before and says why."""
    if date.has_day or date.span.end > hour.span.start or not _is_moved_to(hour.span, noticed):
        return False
    between = [token for token in noticed.utterance.tokens if date.span.end <= token.start < hour.span.start]
    classes = noticed.told.policy.word_classes
    joined = any("clause_joiner" in classes.get(token.norm, ()) for token in between)
    return joined or not _PAUSES.isdisjoint(noticed.utterance.text[date.span.end : hour.span.start])


def _is_moved_to(span: Span, noticed: Noticed) -> bool:
    """Whether it stands right after the words that move something: "make it 11"."""
    first, _ = _places(span, noticed.utterance)
    return any(name == "move" and last == first for name, _, last in noticed.cues)


def _counts(span: Span, noticed: Noticed) -> bool:
    """Whether the number counts something or is part of a name: "6 eggs", "number 6", "flat 6", "act two"."""
    first, last = _places(span, noticed.utterance)
    content = set(noticed.content)
    words = noticed.weighed.reading.scene.words
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    after = last in content and not text[tokens[last - 1].end : tokens[last].start].strip()
    if words[first] in noticed.told.policy.small_words:
        return True  # "one of those days"
    labelled = first > 0 and not text[tokens[first - 1].end : tokens[first].start].strip()
    return after or (labelled and _is_label(first - 1, noticed))


def _is_label(place: int, noticed: Noticed) -> bool:
    """Whether a number right after the word belongs to it: it is neither a cue, a value, nor a name of something."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return "item" in classes.get(words[place], ()) or (
        place in unexplained(noticed) and not is_chore(words[place], noticed.told.policy)
    )


def is_old(span: Span, reading: Reading, policy: Policy) -> bool:
    """Whether words before it say that it was so: "not at seven", "instead of Friday", "I said Friday but …"."""
    words, lexicon = reading.scene.words, policy.lexicon
    first, last = _places(span, reading.utterance)
    turned = last < len(words) and "but_word" in policy.word_classes.get(words[last], ())
    names = (_OLD_VALUE, "said_before") if turned else (_OLD_VALUE,)
    return any(first in lexicon.ends(name, words, at) for name in names for at in range(max(0, first - _NEAR), first))


def without_old(dates: Iterable[DateMatch], reading: Reading, policy: Policy) -> list[DateMatch]:
    """Those that shall be. Of "it was one o'clock, not half past twelve", where both were so, the one not denied."""
    said = list(dates)
    new = [each for each in said if not is_old(each.span, reading, policy)]
    if new or len(said) < 2:
        return new
    words, classes = reading.scene.words, policy.word_classes
    firsts = {each: _places(each.span, reading.utterance)[0] for each in said}
    return [
        each
        for each, first in firsts.items()
        if not any(_NEGATION in classes.get(word, ()) for word in words[max(0, first - _CLOSE) : first])
    ]


_CLOSE = 2


def _is_denied(span: Span, noticed: Noticed) -> bool:
    """Whether a denial stands shortly before it, or after it and nothing else ("at five nobody is in"), in the same
    clause."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    place, _ = _places(span, noticed.utterance)
    for before in range(place - 1, max(-1, place - 1 - _NEAR), -1):
        if "," in text[tokens[before].end : tokens[before + 1].start]:
            return False
        turns = before > 0 and "," in text[tokens[before - 1].end : tokens[before].start]  # "to Friday, no Saturday"
        if _NEGATION in classes.get(words[before], ()) and not _only_puts_right(words[: before + 1], classes):
            return not (turns and "no_word" in classes.get(words[before], ()))
        if "corrective" in classes.get(words[before], ()):
            break  # "she can't on Saturday let's make it Sunday"
    return _is_denied_after(span, noticed)


def _only_puts_right(words: tuple[str, ...], classes: Mapping[str, frozenset[str]]) -> bool:
    """ "no, better today", "wait no Friday": the no is about what was said before."""
    return "no_word" in classes.get(words[-1], ()) and all(
        _PUTS_RIGHT & classes.get(each, frozenset()) for each in words
    )


_PAUSES = frozenset(",;.!–—")


def _is_denied_after(span: Span, noticed: Noticed) -> bool:
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    _, after = _places(span, noticed.utterance)
    for place in range(after, min(len(words), after + _NEAR)):
        if text[tokens[place - 1].end : tokens[place].start].strip():
            return False
        names, rest = classes.get(words[place], frozenset()), tokens[place].end
        if not names.isdisjoint({_NEGATION, "no_word"}) and text[rest:].lstrip()[:1] in _PAUSES:
            return True  # "Monday no, make it Wednesday"
        if _NEGATION in names:
            return not any(rest <= each.span.start for each in noticed.told.dates)  # "on Friday not on Monday"
    return False


def _places(span: Span, utterance: Utterance) -> tuple[int, int]:
    """The first word of a span, and the first one after it."""
    tokens = utterance.tokens
    first = next((place for place, token in enumerate(tokens) if token.end > span.start), 0)
    last = next((place for place, token in enumerate(tokens) if token.start >= span.end), len(tokens))
    return first, last
