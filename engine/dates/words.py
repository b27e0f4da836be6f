"""The words of dates in one language: `dates.json` of its folder, ready to be looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.dates.phrases import Phrases
from engine.dates.tokens import plain


class Lead(NamedTuple):
    """The preposition before a date, if there is one."""

    said: str = ""
    sort: str = ""


NO_LEAD = Lead()


def _list(phrases: Iterable[str]) -> Phrases[str]:
    return Phrases({phrase: phrase for phrase in phrases})


class DateWords(NamedTuple):
    """Compared by identity: what is made from it once is kept for exactly this one."""

    language: str
    weekday_names: tuple[str, ...]
    month_names: tuple[str, ...]
    notes: Mapping[str, str]
    month_first: bool
    """10/3 is October 3, not 10 March."""
    next_week_rule: bool
    """ "next Friday" is the one of next week; otherwise the coming one."""
    weekdays: Phrases[int]
    plural_weekdays: frozenset[str]
    doubtful: frozenset[str]
    """Words that are more often something else: "sat", "may"."""
    also_objects: frozenset[str]
    """Determiners that may also be whom something is done to: "ring her Friday"."""
    sure_at_the_end: frozenset[str]
    """Those of them that a message hardly ends with unless they are a day: "wed"."""
    months: Phrases[int]
    numbers: Phrases[int]
    hours: Phrases[int]
    ordinals: Phrases[int]
    ordinal_marks: frozenset[str]
    units: Phrases[str]
    next: Phrases[str]
    next_after: Phrases[str]
    this: Phrases[str]
    of: Phrases[str]
    end_of: Phrases[str]
    holidays: Phrases[list[int]]
    minute_joints: frozenset[str]
    minute_marks: frozenset[str]
    """Signs between an hour and its minutes, beside the colon and the full stop: "alle 10,30"."""
    """Words between the hour and the minutes: "alle 16 e 30"."""
    day_articles: frozenset[str]
    from_now: Phrases[str]
    from_: Phrases[str]
    before: frozenset[str]
    """Words that tie an amount to an event: "30 minutes before", "2 hours early"."""
    shift_by: Phrases[str]
    """Before an amount that moves a date: "delay it by a week"."""
    shift_later: Phrases[str]
    shift_earlier_alone: Phrases[str]
    """The same, where nothing follows: "an hour before", not "an hour before dinner"."""
    weekday_after: Phrases[str]
    """After a day of the week, the one that follows another date: "the Saturday after"."""
    shift_earlier: Phrases[str]
    every: Phrases[str]
    and_: Phrases[str]
    other: Phrases[str]
    am: Phrases[str]
    pm: Phrases[str]
    oclock: Phrases[str]
    quarters: Phrases[int]
    quarters_after: Phrases[int]
    minutes_before: Phrases[int]
    """Minutes said before the hour that only a day or a lead beside them makes a time: "ten to", "half"."""
    minutes_after: Phrases[int]
    """The same after the hour: "eleven thirty", "undici e venti"."""
    about: Phrases[str]
    """After an hour that is not exact: "10ish"."""
    till: Phrases[str]
    """Between the ends of a stretch of hours, with the word that must stand before the first, if any: "between"."""
    before_day_put_right: frozenset[str]
    """Of those, the ones after which a day is put right: "I meant the 19th", but "I meant the 2nd"."""
    stretch_leads: frozenset[str]
    """Before a stretch: "from ten to four" is no ten to four."""
    hour_letters: frozenset[str]
    """May be glued to an hour: "h18"."""
    time_openers: frozenset[str]
    """Words after which a loose time is one: "make it 7.30", "the train leaves 9.05"."""
    measures: frozenset[str]
    """After figures that look like a time and are none: "2.30 euro"."""
    labels: frozenset[str]
    """Before a number that is a name: "number 22", "room 5"."""
    number_joints: frozenset[str]
    """Between numbers that have one label: "rooms 5 and 6"."""
    fillers: frozenset[str]
    """Around a date that is all that is said: "ok, half five then"."""
    morning_things: frozenset[str]
    """What is in the morning, whatever the hour may mean: "breakfast at six"."""
    evening_things: frozenset[str]
    greetings: frozenset[str]
    """Parts of the day that are a greeting where nothing else is said: "morning!"."""
    week_later: Phrases[str]
    """After a day, the same a week later: "Wednesday week"."""
    weeks_on: Phrases[str]
    """Between weeks and the day that they are counted from: "a week on Friday"."""
    may_be_misspelt: frozenset[str]
    """Names that are known with one slip, too: "thurday"."""
    not_misspelt: frozenset[str]
    """Words of their own that look like a slip: "sundry", "Domenico"."""
    first_thing: Phrases[str]
    """Before a day, its morning: "first thing Monday"."""
    shift_verbs: Phrases[int]
    """Verbs that move a date: later (1), earlier (-1), or as the word beside the amount says (0)."""
    shift_directions: Phrases[int]
    """Beside an amount: "push it back a day", "bring it forward an hour"."""
    shift_phrases: Phrases[list[Any]]
    """Days told from another: "the day after", "lo stesso giorno"."""
    shift_closers: frozenset[str]
    """What may follow them; "the day after the party" is told from something else."""
    halves: Phrases[list[Any]]
    days: Phrases[int]
    parts: Phrases[list[Any]]
    day_parts: Phrases[str]
    part_hours: Mapping[str, int]
    clocks: Phrases[list[int]]
    ranges: Phrases[str]
    soft_ranges: frozenset[str]
    repeats: Phrases[str]
    soft_repeats: frozenset[str]
    prepositions: Phrases[Lead]
    leads: Mapping[str, frozenset[str]]
    """For each sort of preposition the kinds of pieces that it may lead."""
    weak_prepositions: frozenset[str]
    connectors: Phrases[str]
    determiners: frozenset[str]
    followers: frozenset[str]
    """Words after which a date ends: "Friday to", "Friday and"."""
    openers: frozenset[str]
    """Words after which a date stands as at the start of a message: "remind me Friday ..."."""
    possessives: frozenset[str]
    """Possessives written as one word: "tomorrows"."""
    amount_prepositions: frozenset[str]
    """Prepositions that make "25 minutes" a date only at the end: "after 25 minutes"."""
    also_pronouns: frozenset[str]
    """Hours that are also pronouns: "one" is an hour in "at one", not in "a busy one"."""
    before_pronoun_hours: frozenset[str]
    list_nouns: frozenset[str]
    not_before_ordinal: frozenset[str]
    not_dates: Phrases[str]
    triggers: frozenset[str]
    """Without a digit and without one of these there is no date in a text."""
    shift_triggers: frozenset[str]
    """Without one of these no date is told from another one."""


# Each look for dates in a text asks for the hash: a function of our own takes ten times as long.
DateWords.__eq__ = object.__eq__  # type: ignore[method-assign]
DateWords.__hash__ = object.__hash__  # type: ignore[method-assign]

_TABLES = ("weekdays", "months", "numbers", "hours", "ordinals", "units", "quarters", "quarters_after",
           "minutes_before", "minutes_after", "till", "shift_verbs", "shift_directions", "shift_phrases", "halves",
           "days", "parts", "day_parts", "clocks", "ranges", "repeats", "holidays")  # fmt: skip
_LISTS = ("next", "next_after", "this", "of", "end_of", "from_now", "every", "other", "am", "pm", "oclock",
          "connectors", "not_dates", "about", "week_later", "weeks_on",
          "first_thing", "shift_by", "shift_later", "shift_earlier",
          "shift_earlier_alone", "weekday_after")  # fmt: skip
_SETS = ("minute_joints", "minute_marks", "before", "plural_weekdays", "ordinal_marks", "day_articles",
         "soft_ranges", "soft_repeats",
         "weak_prepositions", "determiners", "followers", "openers", "possessives", "amount_prepositions", "list_nouns",
         "not_before_ordinal", "before_day_put_right", "stretch_leads", "hour_letters", "time_openers",
         "measures", "labels", "number_joints", "fillers", "greetings", "morning_things", "evening_things",
         "shift_closers", "also_pronouns",
         "before_pronoun_hours", "may_be_misspelt", "not_misspelt", "sure_at_the_end",
         "also_objects")  # fmt: skip
_TRIGGERS = ("weekdays", "months", "units", "ordinals", "hours", "quarters", "halves", "days", "parts", "day_parts",
             "clocks", "ranges", "repeats", "holidays")  # fmt: skip
_SHIFT_TRIGGERS = ("shift_phrases", "units", "halves")


_NAMES = frozenset(
    {
        *_TABLES, *_LISTS, *_SETS, "names", "notes", "month_first", "next_weekday", "doubtful_words", "from", "and",
        "part_hours", "prepositions", "leads",
    }
)  # fmt: skip


def find_date_problem(raw: Mapping[str, Any]) -> str | None:
    """What makes these words unusable, in a sentence."""
    missing = sorted(_NAMES - set(raw))
    if missing:
        return f"missing: {', '.join(missing)}"
    unknown = sorted(set(raw) - _NAMES)
    if unknown:
        return f"unknown: {', '.join(unknown)}"
    for names, form in (((*_TABLES, "names", "notes", "leads", "prepositions"), dict), ((*_LISTS, *_SETS), list)):
        wrong = [name for name in names if not isinstance(raw[name], form)]
        if wrong:
            return f"of another form than expected: {', '.join(wrong)}"
    return None


def read_date_words(raw: Mapping[str, Any], language: str) -> DateWords:
    tables: dict[str, Phrases[Any]] = {name: Phrases(raw[name]) for name in _TABLES}
    lists: dict[str, Phrases[str]] = {name: _list(raw[name]) for name in _LISTS}
    sets: dict[str, Any] = {name: frozenset(plain(word) for word in raw[name]) for name in _SETS}
    return DateWords(
        language=language,
        weekday_names=tuple(raw["names"]["weekdays"]),
        month_names=tuple(raw["names"]["months"]),
        notes=raw["notes"],
        month_first=raw["month_first"],
        next_week_rule=raw["next_weekday"] == "next_week",
        doubtful=frozenset(raw["doubtful_words"]),
        from_=_list(raw["from"]),
        and_=_list(raw["and"]),
        part_hours=raw["part_hours"],
        prepositions=Phrases({phrase: Lead(plain(phrase), sort) for phrase, sort in raw["prepositions"].items()}),
        leads={sort: frozenset(kinds) for sort, kinds in raw["leads"].items()},
        triggers=frozenset().union(*(tables[name].telling_words for name in _TRIGGERS)),
        shift_triggers=frozenset().union(
            *(tables[name].telling_words for name in _SHIFT_TRIGGERS), lists["weekday_after"].telling_words
        ),
        **{**tables, **lists, **sets},
    )
