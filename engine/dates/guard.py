"""Whether words that could be a date are one here: "on Friday" is, "the Friday report" and "Black Friday" are not.

In the middle of a title only clear words count; at the edges of a message, where people put dates, less is enough.
In the middle of a conversation (`in_talk`) a day is one wherever it stands: "shift it to Saturday same time".
"""

from __future__ import annotations

from engine.dates.days import Reader
from engine.dates.digits import are_time_after, are_time_behind_opener
from engine.dates.piece import Piece
from engine.dates.times import read_clock
from engine.dates.words import Lead

ENDINGS = frozenset('.,;:!?)]}"…”»-–—|\n')
_GLUE = frozenset("-/#$€£%_@&+=\\")
_GLUE_BEFORE = _GLUE | {".", "'"}


WITHOUT_LEAD = frozenset(
    {"day", "weekday", "monthday", "holiday", "figure", "range", "part", "clock", "instant", "repeat"}
)
"""What may be a date without a preposition. A bare hour, "3 days", "1430" and "March" may not."""


_AFTER_OPENER = WITHOUT_LEAD | {"loose"}
_NAMED_DAYS = ("weekday", "range", "monthday")
_QUARTER = 15
_LONG_LIST, _LONGEST_MONTH = 10, 31
_DIGITS = frozenset({"digits"})
_CLOCK = "clock"
_HOUR, _DAY_OF_MONTH, _MONTH = frozenset({"hour"}), frozenset({"dom"}), frozenset({"month"})
_MARKS = ("st", "nd", "rd", "th")
_RANGE_MARKS = ("to", "-", "–")


def kinds_after(reader: Reader, start: int, lead: Lead) -> frozenset[str]:
    if lead.sort:
        kinds = reader.words.leads[lead.sort]
        names = (
            lead.said in reader.words.determiners or lead.said in reader.words.day_articles
        )  # "the umbrella of the 12"
        of = reader.words.of.find(reader.tokens, start - 1)
        if of and of[0] == start and reader.word(start - 2) in reader.words.list_nouns:
            kinds |= _MONTH  # "the deadlines of October", but not "pay the bill of October"
        timed = reader.in_talk and not names and _CLOCK in kinds
        return kinds | _HOUR if timed else kinds  # "bring it forward to 12"
    before, openers = reader.word(start - 1), reader.words.time_openers
    opened = reader.in_talk or before in openers or f"{reader.word(start - 2)} {before}" in openers
    kinds = _AFTER_OPENER if opened else WITHOUT_LEAD
    if opened and (before in openers or f"{reader.word(start - 2)} {before}" in openers):
        kinds |= _DIGITS  # "make it 0930"
    named = reader.word(start) not in reader.words.doubtful or before in reader.words.determiners
    if named and reader.word(start + 1) in reader.words.list_nouns:
        kinds |= _MONTH  # "the October deadlines"
    return kinds | _DAY_OF_MONTH if _says_day_of_month(reader, start) else kinds


def _says_day_of_month(reader: Reader, start: int) -> bool:
    """ "27th": figures with the mark of an ordinal, more than any list is long."""
    number = reader.number(start)
    marked = reader.words.month_first and reader.joined(start + 1) and reader.word(start + 1) in _MARKS
    return marked and number is not None and _LONG_LIST < number <= _LONGEST_MONTH


def takes_possessive(reader: Reader, start: int, piece: Piece, lead: Lead) -> Piece | None:
    """ "today's reminders", "Friday's one" and "a reminder for today's call" name a day; "today's paper" is part of a
    title."""
    end, words = piece.end, reader.words
    if reader.word(end) == "'" and reader.word(end + 1) == "s":
        end += 2
    elif reader.word(end - 1) not in words.possessives:
        return piece
    if reader.word(end) in words.list_nouns | words.also_pronouns or (
        lead.said and reader.word(start - 1) in words.list_nouns
    ):
        return piece._replace(end=end, firm=True)
    return None


def is_date(reader: Reader, start: int, first: int, piece: Piece, lead: Lead) -> bool:
    """`start` is the first token of the phrase, `first` the first one after its preposition."""
    if _is_glued(reader, start, piece.end) or counts_units(reader, piece):
        return False
    before, following = reader.word(start - 1), reader.word(piece.end)
    if piece.kind == "weekday" and not lead.said and before in reader.words.wishes:
        return False
    if piece.kind == "weekday" and following in reader.words.also_pronouns:
        return True  # "the Friday one", "Friday's one"
    if following in reader.words.list_nouns and piece.kind not in ("hour", "loose", "month", "dom", "amount", "figure"):
        return True  # "my Friday reminders", "the 5 pm task"
    if following in reader.words.list_nouns and piece.kind == "month" and not lead.said:
        return True
    put_right = reader.in_talk and (piece.kind in _NAMED_DAYS or before in reader.words.before_pronoun_hours)
    object_before = before in reader.words.also_objects and is_closed(reader, piece.end)  # "ring her Friday at 5"
    if not lead.said and before in reader.words.determiners and not (put_right or object_before):
        return False  # "no quarter to ten is better", in talk, is no quarter that somebody does without
    if _is_labelled(reader, first) and reader.words.months.find(reader.tokens, first + 1) is None:
        return False  # "at number 22 on Saturday", "chapter 7, 9 October"; not "Mrs Lane 28 December"
    counts = piece.kind in ("hour", "loose") and lead.said in reader.words.weak_prepositions  # "for two extra pints"
    bare = piece.twelve and reader.number(first) is not None and (lead.said or before) in reader.words.weak_prepositions
    if (counts or bare) and _says_hour_later(reader, piece.end):
        return False  # "dinner for 6 on Friday at 7"
    closed = (reader.in_talk and not counts) or is_closed(reader, piece.end)
    if lead.said:
        return _after_lead(reader, before, first, piece, lead, closed=closed)
    return _alone(reader, start, first, piece, closed=closed)


def _is_labelled(reader: Reader, first: int) -> bool:
    """ "flat 22", "chapters 4 to 6", "size 3 and 4": numbers of things, unless the last one is a time by its form."""
    place = first
    while reader.number(place) is not None:
        if reader.word(place - 1) in reader.words.labels:
            clock = read_clock(reader, first)
            return place == first or clock is None or clock.kind == "hour"
        if reader.word(place - 1) not in reader.words.number_joints:
            return False
        place -= 2
    return False


def _says_hour_later(reader: Reader, end: int) -> bool:
    """Whether a time stands further on, by its form or after "at"."""
    for place in range(end, len(reader.tokens)):
        clock = read_clock(reader, place)
        lead = reader.words.prepositions.find(reader.tokens, place - 1) if clock else None
        if clock and (clock.kind == "clock" or (lead and lead[0] == place and lead[1].sort == "time")):
            return True
    return False


def _after_lead(reader: Reader, before: str, first: int, piece: Piece, lead: Lead, *, closed: bool) -> bool:
    words = reader.words
    weak = lead.said in words.weak_prepositions
    of_task = before in words.list_nouns  # "reminder for April", "for 30 minutes", "for Friday dinner"
    if piece.kind == "dom" and not piece.firm:
        in_list = piece.day is not None and piece.day.day <= _LONG_LIST
        place = before in words.not_before_ordinal and (in_list or before not in words.before_day_put_right)
        if lead.said in words.determiners and (place or (in_list and reader.number(first) is None)):
            return False  # "delete the 2nd", "show me the second": the one in the list; "I meant the 19th" is a day
        return closed
    if piece.kind == "amount" and weak:
        return closed and (of_task or lead.said in words.amount_prepositions)
    if piece.kind == "holiday":
        if lead.said in words.determiners and first - 1 in range(1, _FEW_WORDS + 1):
            return False  # "organizzare la vigilia"
        moved_to = reader.in_talk and lead.sort == _MOVED_TO
        ends = not reader.word(piece.end)[:1].isalnum()  # "she needs it for New Year's Eve so say the 30th"
        return is_closed(reader, piece.end) and (((piece.firm or moved_to) and ends) or not weak)
    if piece.kind == "digits":
        return are_time_after(reader, first, piece, lead, closed=is_closed(reader, piece.end))
    if piece.kind == "loose" and weak and may_be_amount(reader, first, piece):
        return False
    if piece.kind in ("hour", "loose", "month", "figure"):
        return closed and (of_task or piece.firm or not weak or reader.word(first) not in words.doubtful)
    if weak and piece.kind in ("weekday", "repeat", "range"):
        return closed or of_task
    return True


def _alone(reader: Reader, start: int, first: int, piece: Piece, *, closed: bool) -> bool:
    words = reader.words
    before = reader.word(start - 1)
    if piece.kind == "holiday":  # "call mum Boxing Day", but not "plan Boxing Day", nor "wrap it Christmas"
        sure = (piece.firm or piece.sure) and (start == 0 or start > _FEW_WORDS) and not _is_object(reader, start)
        return sure and is_closed(reader, piece.end) and reader.word(piece.end) not in words.verbs_of_being
    if piece.kind == "digits":
        return are_time_behind_opener(reader, first, piece) and is_closed(reader, piece.end)
    if piece.kind in ("day", "instant") or piece.sure or (piece.kind == "part" and piece.day is not None):
        return True
    if piece.kind == "range" and reader.word(piece.end) in words.looks_of_days:
        return True  # "what does next week look like"
    if piece.kind == "range" and not piece.firm:
        return False
    if before in words.openers:
        return True
    if reader.word(first) in words.doubtful and piece.kind == "weekday" and not piece.firm:
        # "sat" and "sun" need a preposition or a time, "wed" at least to be the last word
        return reader.word(first) in words.sure_at_the_end and first > _FEW_WORDS and not reader.word(piece.end)
    if piece.firm and (start == 0 or before in (",", ":", ";", ".")):
        return True
    if piece.firm and before in words.list_nouns and piece.kind in ("clock", "weekday"):
        return True
    return closed


def _is_object(reader: Reader, start: int) -> bool:
    return reader.word(start - 1) in reader.words.followers and reader.word(start - 1) not in reader.words.fillers


_MOVED_TO = "new"
_FEW_WORDS = 1
"""Before it: "we wed" is no day."""


def may_be_amount(reader: Reader, first: int, piece: Piece) -> bool:
    """Figures that may be a price or any other range: "sold it for 2.50", "rate it from 1 to 10"."""
    if reader.number(first) is None:
        return False
    return piece.minute % _QUARTER != 0 or is_range(reader, first)


def counts_units(reader: Reader, piece: Piece) -> bool:
    """ "delay it by two days", "change the note to 8 kg": a number of something, and no hour or day."""
    counted = piece.kind in _COUNTING and reader.words.units.find(reader.tokens, piece.end) is not None
    return counted or (piece.kind in _COUNTING and reader.word(piece.end) in reader.words.measures)


_COUNTING = ("hour", "loose", "digits", "dom", "figure")


def is_range(reader: Reader, first: int) -> bool:
    """5-10 and 5 to 10 may be a range of anything."""
    return reader.word(first + 1) in _RANGE_MARKS and reader.number(first + 2) is not None


def is_stretch(reader: Reader, first: int) -> bool:
    """ "meeting 4 to 6 on Friday": hours, where they may be some."""
    second = reader.number(first + 2) if is_range(reader, first) else None
    return second is not None and second <= _LAST_HOUR


_LAST_HOUR = 24


_LEAST_VERB = 5


def is_closed(reader: Reader, end: int) -> bool:
    """Nothing follows that the words could describe: "call mum Friday", but not "Friday roast"."""
    following, words = reader.word(end), reader.words
    if following == "'":
        return False
    if not following or following in ENDINGS or following in words.followers:
        return True
    infinitive = len(following) >= _LEAST_VERB and following.endswith(words.verb_endings)
    return infinitive or reader.word(end + 1) in words.articles  # "for Friday return the books"


def _is_glued(reader: Reader, start: int, end: int) -> bool:
    """Part of a longer word or figure: mid-March, 5pm-ish, #12, 2.10."""
    if start > 0 and reader.joined(start) and reader.word(start - 1) in _GLUE_BEFORE:
        return not (reader.word(start - 1) == "'" and not reader.joined(start - 1))
    if end >= len(reader.tokens) or not reader.joined(end):
        return False
    following = reader.word(end)
    if following in _GLUE or following in ".:,'":
        return end + 1 < len(reader.tokens) and reader.joined(end + 1) and following != ","
    return following[0].isalnum()
