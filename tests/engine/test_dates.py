"""The dates in messages: our own phrases as data, and what holds for any text."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from domains.loading import load_domain
from engine.dates import find_dates, find_shift, parse_date
from tests.rounds import rounds

NOW = datetime(2026, 3, 4, 10, 0)  # noqa: DTZ001 - a wall clock, as the Context has it
WORDS = {language: policy.date_words for language, policy in load_domain().policies.items()}
LANGUAGES = ("en", "it")


class Phrase(NamedTuple):
    language: Any
    now: datetime
    row: dict[str, Any]


@cache
def load_phrases(path: Path) -> tuple[Phrase, ...]:
    content = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return tuple(
        Phrase(path.stem[-2:], datetime.fromisoformat(row.get("now", content["now"])), row)
        for row in content["phrases"]
    )


FILES = sorted(Path(__file__).parent.glob("dates_*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_date_in_a_phrase_is_found_and_nothing_else(path: Path) -> None:
    """A failure names each phrase with what was found in it. A row that says why it `fails` has to."""
    wrong = {key(phrase): found for phrase in load_phrases(path) if (found := found_in(phrase)) != wanted(phrase)}
    failing = {key(phrase) for phrase in load_phrases(path) if phrase.row.get("fails")}
    assert {said: found for said, found in wrong.items() if said not in failing} == {}
    assert failing <= wrong.keys()


def key(phrase: Phrase) -> tuple[str, str]:
    return phrase.row["say"], phrase.now.isoformat()


def found_in(phrase: Phrase) -> list[tuple[Any, ...]]:
    in_talk = phrase.row.get("in_talk", False)
    found = find_dates(phrase.row["say"], phrase.now, WORDS[phrase.language], in_talk=in_talk)
    return [(match.text, match.value, [*match.alternatives], match.range_end, match.recurring) for match in found]


def wanted(phrase: Phrase) -> list[tuple[Any, ...]]:
    row = phrase.row
    if "value" not in row:
        return []
    also, until = [str(value) for value in row.get("also", [])], str(row["until"]) if "until" in row else None
    return [(row["text"], str(row["value"]), also, until, row.get("recurring", False))]


def test_a_date_phrase_alone_is_parsed_to_the_same_value() -> None:
    passing = [phrase for path in FILES for phrase in load_phrases(path) if not phrase.row.get("fails")]
    assert len(passing) > 750
    for language, now, row in passing:
        alone = row["text"].removesuffix("'s") if "value" in row else row["say"]
        parsed = parse_date(alone, now, WORDS[language])
        # Without the "dinner" beside it, eight is in the morning.
        value = str(row.get("alone", row["value"])) if "value" in row else None
        assert (parsed.value if parsed else None) == value, (language, row)


def test_a_day_and_a_time_that_stand_apart_make_one_moment() -> None:
    day, time = find_dates("remind me tomorrow that I have a meeting at 3pm", NOW, WORDS["en"])
    assert (day.text, day.value) == ("tomorrow", "2026-03-05T15:00")
    assert (time.text, time.value) == ("at 3pm", "2026-03-05T15:00")
    assert "2026-03-05" in day.alternatives


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "Lou's stag is on the 25th, train leaves 9:05", "2026-03-25T09:05"),
        ("en", "dentist thursday, I think at four", "2026-03-05T16:00"),
        ("en", "on saturday we are with Ann until at nine the bus comes", "2026-03-07T09:00"),
        ("en", "friday evening it is, doors at 7:15", "2026-03-06T19:15"),
        ("it", "il 25 c'è la festa, il treno parte alle 9:05", "2026-03-25T09:05"),
        ("it", "giovedì ho il dentista alle quattro", "2026-03-05T16:00"),
    ],
)
def test_a_time_apart_is_read_with_its_day_and_not_with_the_present_hour(language: Any, text: str, value: str) -> None:
    found = find_dates(text, NOW, WORDS[language])
    assert [match.value for match in found] == [value, value]


def test_an_hour_moved_from_and_to_is_no_stretch() -> None:
    old, new = find_dates("sposta la riunione dalle 3 alle 5", NOW, WORDS["it"])
    assert (old.text, new.text) == ("dalle 3", "alle 5")


def test_two_days_stay_two_dates() -> None:
    found = find_dates("move the meeting from Monday to Friday", NOW, WORDS["en"])
    assert [(match.text, match.value) for match in found] == [
        ("from Monday", "2026-03-09"),
        ("to Friday", "2026-03-06"),
    ]


def test_a_text_that_holds_more_than_a_date_is_not_parsed() -> None:
    assert parse_date("call Ann tomorrow", NOW, WORDS["en"]) is None
    assert parse_date("5", NOW, WORDS["en"]) is None
    assert parse_date("", NOW, WORDS["en"]) is None


def test_the_words_of_a_match_say_how_it_was_read() -> None:
    (match,) = find_dates("call Ann on Friday at 5pm", NOW, WORDS["en"])
    assert match.words == "Fri 6 Mar 2026, 17:00"
    (match,) = find_dates("chiamare Anna questa settimana", NOW, WORDS["it"])
    assert match.words == "mer 4 mar 2026; fino a dom 8 mar 2026"


@pytest.mark.parametrize(
    ("text", "language", "said", "value", "moved"),
    [
        ("delay task 6 by a week", "en", "by a week", "2026-03-20", "2026-03-27"),
        ("push it by 2 days please", "en", "by 2 days", "2026-03-20T18:30", "2026-03-22T18:30"),
        ("give it another month", "en", "another month", "2026-01-31", "2026-02-28"),
        ("make the call an hour later", "en", "an hour later", "2026-03-20T23:30", "2026-03-21T00:30"),
        ("do it two days earlier", "en", "two days earlier", "2026-03-01", "2026-02-27"),
        ("rimanda il dentista di una settimana", "it", "di una settimana", "2026-03-20", "2026-03-27"),
        ("sposta la riunione due giorni dopo", "it", "due giorni dopo", "2026-03-20", "2026-03-22"),
        ("anticipa la visita: tre giorni prima", "it", "tre giorni prima", "2026-03-20", "2026-03-17"),
        ("move it to the day before", "en", "to the day before", "2026-03-01T09:00", "2026-02-28T09:00"),
        ("the day after", "en", "the day after", "2026-03-20", "2026-03-21"),
        ("no, the day after at 5", "en", "the day after at 5", "2026-03-20T09:00", "2026-03-21T17:00"),
        ("put lunch on that day", "en", "on that day", "2026-03-20", "2026-03-20"),
        ("same day, 9:30", "en", "same day, 9:30", "2026-03-20T18:00", "2026-03-20T09:30"),
        ("push it to the week after", "en", "to the week after", "2026-03-20", "2026-03-27"),
        ("make it a week later", "en", "a week later", "2026-03-20", "2026-03-27"),
        ("push the dentist back a day", "en", "back a day", "2026-03-20T18:30", "2026-03-21T18:30"),
        ("shift it a week please", "en", "a week", "2026-03-20", "2026-03-27"),
        ("bring it forward by an hour", "en", "forward by an hour", "2026-03-20T18:30", "2026-03-20T17:30"),
        ("il giorno dopo", "it", "il giorno dopo", "2026-03-20", "2026-03-21"),
        ("spostala al giorno prima", "it", "al giorno prima", "2026-03-20", "2026-03-19"),
        ("lo stesso giorno alle 10", "it", "lo stesso giorno alle 10", "2026-03-20", "2026-03-20T10:00"),
        ("mettilo quel giorno", "it", "quel giorno", "2026-03-20", "2026-03-20"),
        ("la settimana dopo", "it", "la settimana dopo", "2026-03-20", "2026-03-27"),
        ("facciamo un'ora più tardi", "it", "un'ora più tardi", "2026-03-20T18:30", "2026-03-20T19:30"),
        ("rimandalo una settimana", "it", "una settimana", "2026-03-20", "2026-03-27"),
        ("anticipa la riunione di un'ora", "it", "di un'ora", "2026-03-20T18:30", "2026-03-20T17:30"),
    ],
)
def test_a_date_is_moved_by_what_was_said(text: str, language: Any, said: str, value: str, moved: str) -> None:
    shift = find_shift(text, WORDS[language])
    assert shift is not None
    assert shift.text == said == text[shift.span.start : shift.span.end]
    assert shift.move(value) == moved


@pytest.mark.parametrize("text", ["buy 3 apples", "call in 3 days", "read for an hour", "by Friday"])
def test_what_does_not_move_a_date_is_no_shift(text: str) -> None:
    assert find_shift(text, WORDS["en"]) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the day after tomorrow"),
        ("en", "the week after next"),
        ("en", "tidy up the day after the party"),
        ("en", "pack the day before I leave"),
        ("en", "the same day as the dentist"),
        ("en", "push it to a week from monday"),
        ("en", "add a shift a week"),
        ("en", "delay the 3 day review"),
        ("en", "put 2 days aside"),
        ("it", "il giorno dopo la festa"),
        ("it", "chiamare due ore dopo la riunione"),
        ("it", "dopodomani"),
        ("it", "tra un paio di giorni"),
    ],
)
def test_what_is_told_from_something_else_is_no_shift(language: Any, text: str) -> None:
    assert find_shift(text, WORDS[language]) is None


def test_the_week_after_is_not_this_week() -> None:
    assert find_dates("plan it for the week after", NOW, WORDS["en"]) == ()


def test_a_shift_beyond_the_calendar_gives_nothing() -> None:
    shift = find_shift("by 9999 years", WORDS["en"])
    assert shift is not None
    assert shift.move("2026-03-04") is None


DATE_WORDS = """
    next friday march the of 10 10th / . : at 5 pm every day in 3 weeks tonight ' s " to 99999 9999 2027 12 31 - ,
    before from now half an hour end month this weekend by christmas second
    mid early last first easter boxing day after two weeks 1430 0930 23.11. until morning onwards february week
    metà primi ultimo pasqua prima dopo settimana fra al
    ogni lunedì alle fra due giorni il 15 fine mese di domani e l' natale primo
"""
date_words = st.lists(st.sampled_from(DATE_WORDS.split()), max_size=40)
texts = st.one_of(st.text(max_size=200), date_words.map(" ".join), date_words.map("".join))
moments = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(9990, 1, 1))  # noqa: DTZ001


@given(texts, moments, st.sampled_from(LANGUAGES))
def test_any_text_gives_the_same_well_formed_matches_each_time(text: str, now: datetime, language: Any) -> None:
    found = find_dates(text, now, WORDS[language])
    assert found == find_dates(text, now, WORDS[language])
    end = 0
    for match in found:
        assert end <= match.span.start < match.span.end <= len(text)
        assert match.text == text[match.span.start : match.span.end]
        for value in (match.value, *match.alternatives, match.range_end or match.value):
            assert datetime.fromisoformat(value)
        end = match.span.end
    parse_date(text, now, WORDS[language])
    find_shift(text, WORDS[language])


class CountedTokens(list[Any]):
    """Tokens that count how often they are looked at: work, measured without a clock."""

    looks = 0

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        CountedTokens.looks += len(found) if isinstance(index, slice) else 1
        return found

    def __iter__(self) -> Any:
        CountedTokens.looks += len(self)
        return super().__iter__()


@pytest.mark.parametrize(
    "piece",
    [
        "every ",
        "next ",
        "10/",
        "the end of ",
        "twenty ",
        '"',
        "at 5 ",
        "in 3 ",
        "on the ",
        "fra ",
        "mid ",
        "first ",
        "0930 ",
        "del ",
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_work_grows_with_the_length_of_the_text_and_no_faster(
    piece: str, language: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.dates import finder

    real = finder.tokenize
    monkeypatch.setattr(finder, "tokenize", lambda text: CountedTokens(real(text)))

    def looks(repeats: int) -> int:
        CountedTokens.looks = 0
        find_dates("tomorrow domani 5 " + piece * repeats, NOW, WORDS[language])
        return CountedTokens.looks

    long = rounds(600, 2000)
    assert looks(long) <= 10.5 * looks(long // 10) + 1000
