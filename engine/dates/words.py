"""The words of dates in one language: `dates.json` of its folder, ready to be looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engine.dates.phrases import Phrases, find_telling_words
from engine.dates.tokens import plain


class Lead(NamedTuple):
    """The preposition before a date, if there is one."""

    said: str = ""
    sort: str = ""


NO_LEAD = Lead()


class FeastRule(NamedTuple):
    """When a feast is: the table that it stands in, and what stands there."""

    table: str
    rule: Any


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
    feasts: Phrases[FeastRule]
    """From `holidays` (month and day), `easter_days` (days from Easter Sunday: "Easter Monday" is 1) and
    `weekday_holidays` (month, which one, -1 for the last, day of the week from Monday, and days later)."""
    season_holidays: Phrases[str]
    """Those of them whose name is more than a day's: "Christmas". Without a preposition they are part of a title."""
    verbs_of_being: frozenset[str]
    looks_of_days: frozenset[str]
    """How a day is asked after, behind it: "what does next week look like"."""
    wishes: frozenset[str]
    """What stands before a day in a greeting, which says nothing of when: "happy Friday", "buona domenica"."""
    """After a feast that is told about: "Boxing Day is quiet"."""
    nth: Phrases[int]
    """Before a day of the week, which one of a month: "first", and from its end "last" (-1)."""
    nth_things: Phrases[str]
    """What else is counted in a month: day, working_day, weekend, week."""
    in_month: Phrases[str]
    """Between what is counted and its month: "the first Monday in December"."""
    after_next: Phrases[str]
    """After a day of the week: "Monday after next"."""
    past_before: frozenset[str]
    """Before a day of the week that has been: "last Friday"."""
    past_after: Phrases[str]
    """After one: "Tuesday just gone"."""
    stretch_parts: Phrases[str]
    """Before a month or a week, the part of it: "mid", "early"."""
    stretch_days: Mapping[str, Mapping[str, list[int]]]
    """For a month and for a week, the first and last day of each part; below zero from the month's end."""
    week_of: Phrases[str]
    """Before a day, its week or weekend: "the week of"."""
    early_or_late: Phrases[str]
    """Before a day and its part: "early tomorrow morning"."""
    told_from: Phrases[int]
    """Between an amount and the day that it is counted from: before (-1) or after (1)."""
    part_joints: Phrases[str]
    """Between a part of the day and the day: "the morning of the 5th"."""
    sure_day_parts: frozenset[str]
    """Parts of the day that are in no name: "lunchtime Friday", unlike the night of "quiz night Friday"."""
    day_till: Phrases[str]
    """Between the days of a stretch, with the word that must stand before the first, if any: "between"."""
    onwards: Phrases[str]
    """After a day from which on: "from Monday on"."""
    onwards_leads: frozenset[str]
    digit_leads: frozenset[str]
    """Prepositions after which four figures are a time: "at 1430"."""
    clock_units: Phrases[str]
    """After four figures: "0900 hours"."""
    before_dotted_days: frozenset[str]
    """Words after which 23.11 is a day."""
    about_hours: frozenset[str]
    """Hours that say themselves that they are not exact: "sevenish"."""
    also_names: frozenset[str]
    """Days that are also first names, where one of the verbs of `names_after` stands before: "chiama Domenica"."""
    names_after: frozenset[str]
    or_: Phrases[str]
    """Between two amounts that are one: "two or three days"."""
    or_so: Phrases[str]
    """After an amount that is not exact: "a week or so"."""
    minute_joints: frozenset[str]
    minute_marks: frozenset[str]
    """Signs between an hour and its minutes, beside the colon and the full stop: "alle 10,30"."""
    """Words between the hour and the minutes: "alle 16 e 30"."""
    day_articles: frozenset[str]
    noun_leads: frozenset[str]
    """Words that lead a day, and behind an article are things: a till."""
    from_now: Phrases[str]
    from_: Phrases[str]
    before: frozenset[str]
    """Words that tie an amount to an event: "30 minutes before", "2 hours early"."""
    shift_by: Phrases[str]
    """Before an amount that moves a date: "delay it by a week"."""
    shift_later: Phrases[str]
    shift_more: Phrases[str]
    """Between a number and its unit: "two more days", "an extra week"."""
    shift_earlier_alone: Phrases[str]
    """The same, where nothing follows: "an hour before", not "an hour before dinner"."""
    weekday_one_after: Phrases[str]
    weekday_after: Phrases[str]
    """After a day of the week, the one that follows another date: "the Saturday after"."""
    weekday_before: Phrases[str]
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
    week_later: Phrases[int]
    """After a day, the same so many weeks later: "Wednesday week"."""
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
    morning_from: int
    """The first hour that is in the morning where nothing else is said; an earlier one is in the afternoon."""
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
    verb_endings: tuple[str, ...]
    """By which a word is told for a verb that no day could belong to: "per venerdì comprare il pane"."""
    articles: frozenset[str]
    """Where one follows the word behind a day, that word is a verb: "for Friday return the books"."""
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
           "days", "parts", "day_parts", "clocks", "ranges", "repeats", "nth", "nth_things", "stretch_parts",
           "told_from", "day_till", "week_later", "week_of")  # fmt: skip
_FEASTS = ("holidays", "easter_days", "weekday_holidays")
_LISTS = ("next", "next_after", "this", "of", "end_of", "from_now", "every", "other", "am", "pm", "oclock",
          "connectors", "not_dates", "about", "weeks_on", "in_month", "after_next", "past_after", "part_joints",
          "season_holidays", "early_or_late", "onwards", "clock_units", "or_so",
          "first_thing", "shift_by", "shift_later", "shift_more", "shift_earlier",
          "shift_earlier_alone", "weekday_after", "weekday_one_after", "weekday_before")  # fmt: skip
_SETS = ("minute_joints", "minute_marks", "before", "plural_weekdays", "ordinal_marks", "day_articles", "noun_leads",
         "soft_ranges", "soft_repeats",
         "weak_prepositions", "determiners", "followers", "openers", "possessives", "amount_prepositions", "list_nouns",
         "not_before_ordinal", "before_day_put_right", "stretch_leads", "hour_letters", "time_openers",
         "measures", "labels", "number_joints", "fillers", "greetings", "morning_things", "evening_things",
         "shift_closers", "also_pronouns",
         "before_pronoun_hours", "may_be_misspelt", "not_misspelt", "sure_at_the_end",
         "also_objects", "verbs_of_being", "looks_of_days", "wishes", "past_before", "sure_day_parts",
         "onwards_leads", "digit_leads",
         "before_dotted_days", "about_hours", "also_names", "names_after", "articles")  # fmt: skip
_TRIGGERS = ("weekdays", "months", "units", "ordinals", "hours", "quarters", "halves", "days", "parts", "day_parts",
             "clocks", "ranges", "repeats")  # fmt: skip
_SHIFT_TRIGGERS = ("shift_phrases", "units", "halves")


_NAMES = frozenset(
    {
        *_TABLES, *_LISTS, *_SETS, *_FEASTS, "names", "notes", "month_first", "next_weekday", "doubtful_words", "from",
        "and", "or", "stretch_days", "part_hours", "morning_from", "prepositions", "leads", "verb_endings",
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
    tables = (*_TABLES, *_FEASTS, "names", "notes", "leads", "prepositions", "stretch_days")
    for names, form in ((tables, dict), ((*_LISTS, *_SETS, "verb_endings"), list)):
        wrong = [name for name in names if not isinstance(raw[name], form)]
        if wrong:
            return f"of another form than expected: {', '.join(wrong)}"
    return None if raw["morning_from"] in range(13) else "morning_from is an hour, from 0 to 12"


def read_date_words(raw: Mapping[str, Any], language: str) -> DateWords:
    tables: dict[str, Phrases[Any]] = {name: Phrases(raw[name]) for name in _TABLES}
    lists: dict[str, Phrases[str]] = {name: _list(raw[name]) for name in _LISTS}
    feasts = Phrases({name: FeastRule(table, rule) for table in _FEASTS for name, rule in raw[table].items()})
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
        or_=_list(raw["or"]),
        stretch_days=raw["stretch_days"],
        verb_endings=tuple(raw["verb_endings"]),
        part_hours=raw["part_hours"],
        morning_from=raw["morning_from"],
        prepositions=Phrases({phrase: Lead(plain(phrase), sort) for phrase, sort in raw["prepositions"].items()}),
        leads={sort: frozenset(kinds) for sort, kinds in raw["leads"].items()},
        feasts=feasts,
        triggers=find_telling_words((feasts, *(tables[name] for name in _TRIGGERS))) - lists["am"].first_words,
        shift_triggers=find_telling_words(
            (*(tables[name] for name in _SHIFT_TRIGGERS), lists["weekday_after"], lists["weekday_before"])
        ),
        **{**tables, **lists, **sets},
    )
