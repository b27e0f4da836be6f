"""Messages found in Parquet files: every filter finds what a look at all rows would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.bulk.folder import RunFolder, find_run, list_runs
from evals.bulk.looking import FoundMessage, MessageFilter, count_messages, find_message, find_messages
from tests.evals.bulk.made_up import STRICTER, begin, many, run_here, write_lines


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    place = tmp_path_factory.mktemp("bulk")
    policy = place / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    path = write_lines(place / "it's a log.jsonl", [*many(40), {"text": "Çay, é vero?", "id": "accents"}])
    run = begin(place / "runs" / "one", [path], shard=7, policy=policy, both=True)
    run_here(run)
    return run


FILTERS: list[tuple[MessageFilter, Callable[[FoundMessage], bool]]] = [
    (MessageFilter(), lambda _each: True),
    (MessageFilter(passed=False), lambda each: each.answers[0].verdict not in ("right", None)),
    (MessageFilter(side=1, passed=True), lambda each: each.answers[1].verdict == "right"),
    (MessageFilter(verdict="silent"), lambda each: each.answers[0].verdict == "silent"),
    (MessageFilter(side=1, final="add_task"), lambda each: each.answers[1].final == "add_task"),
    (MessageFilter(part=("language", "it")), lambda each: each.language == "it"),
    (MessageFilter(part=("tag", "urgent")), lambda each: "urgent" in each.tags),
    (MessageFilter(part=("source", "shop")), lambda each: each.source == "shop"),
    (MessageFilter(changed="any"), lambda each: each.changed is not None),
    (MessageFilter(changed="no_longer_acts"), lambda each: each.changed == "no_longer_acts"),
    (
        MessageFilter(pair=("add_task", "asks")),
        lambda each: (each.answers[1].final, each.answers[0].final) == ("add_task", "asks"),
    ),
    (MessageFilter(text="TEA"), lambda each: "tea" in each.text),
    (MessageFilter(text="cay, e"), lambda each: each.id == "accents"),
    (MessageFilter(text="message-3"), lambda each: each.id == "message-3"),
]


@pytest.mark.parametrize(("wanted", "fits"), FILTERS)
def test_a_filter_finds_what_fits(run: RunFolder, wanted: MessageFilter, fits: Callable[[FoundMessage], bool]) -> None:
    everything = find_messages(run, MessageFilter(), limit=1000, offset=0)
    assert len(everything) == 41
    assert [each.line for each in everything] == list(range(1, 42))
    expected = tuple(each for each in everything if fits(each))
    assert find_messages(run, wanted, limit=1000, offset=0) == expected
    assert count_messages(run, wanted) == len(expected)
    assert expected or wanted.verdict


def test_a_rule_leads_to_its_messages(run: RunFolder) -> None:
    rules = run.merge()["sides"]["0"]["rules"]
    rule = max(rules, key=lambda name: rules[name]["fits"])
    assert count_messages(run, MessageFilter(rule=rule)) == rules[rule]["fits"]


def test_pages_go_on_from_each_other(run: RunFolder) -> None:
    pages = [find_messages(run, MessageFilter(), limit=10, offset=offset) for offset in range(0, 50, 10)]
    assert [len(page) for page in pages] == [10, 10, 10, 10, 1]
    assert [each.line for page in pages for each in page] == list(range(1, 42))


def test_one_message_is_found_with_its_context(run: RunFolder) -> None:
    found = next(each for each in find_messages(run, MessageFilter(text="passport"), limit=1, offset=0))
    row = find_message(run, found.shard, found.row)
    assert row is not None
    assert row["id"] == found.id
    assert "Renew passport" in row["context"]
    assert find_message(run, 0, 7) is None
    assert find_message(run, 99, 0) is None


def test_what_asks_for_everything_is_a_word_like_others(run: RunFolder) -> None:
    assert count_messages(run, MessageFilter(text="' OR 1=1 --")) == 0
    assert count_messages(run, MessageFilter(part=("text; DROP", "x"))) == 41, "no part that there is"


def test_a_run_without_a_shard_has_no_messages(run: RunFolder, tmp_path: Path) -> None:
    empty = begin(tmp_path / "empty", [Path(run.plan().files[0].path)])
    assert count_messages(empty, MessageFilter()) == 0
    assert find_messages(empty, MessageFilter(), limit=5, offset=0) == ()


def test_runs_are_found_by_their_names_only(run: RunFolder) -> None:
    place = run.path.parent
    assert [each.id for each in list_runs(place)] == ["one"]
    assert find_run(place, "one") is not None
    assert find_run(place, "../runs/one") is None
