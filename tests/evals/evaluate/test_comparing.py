"""Two runs: fixed, broken, changed, unchanged; slices with Holm; what is not shared; labels that may be wrong."""

from __future__ import annotations

import random

from evals.evaluate.comparing import compare_scored
from evals.evaluate.slicing import make_slices
from evals.evaluate.suspects import find_suspects
from tests.evals.evaluate.made_up import key_of, scored
from tests.rounds import rounds


def test_each_case_is_fixed_broken_changed_or_unchanged() -> None:
    before = [scored(0, passed=False), scored(1), scored(2, signature="a"), scored(3), scored(4, passed=False)]
    after = [scored(0), scored(1, passed=False), scored(2, signature="b"), scored(3), scored(4, passed=False)]
    found = compare_scored("before", before, "after", after)
    assert (found.fixed, found.broken, found.changed) == ((key_of(0),), (key_of(1),), (key_of(2),))
    assert found.unchanged == (key_of(3), key_of(4))
    assert (found.both, found.neither, found.shared) == (2, 1, 5)
    assert found.difference.value == 0.0
    assert found.sharing_sentence == ""


def test_runs_on_other_cases_are_compared_on_what_they_share_and_it_says_so() -> None:
    found = compare_scored("a", [scored(0), scored(1), scored(2)], "b", [scored(2), scored(3)])
    assert (found.shared, found.only_first, found.only_second) == (1, 2, 1)
    assert found.sharing_sentence == (
        "The two are not about the same cases: compared on the 1 that they share; 2 are only in a, 1 only in b."
    )
    apart = compare_scored("a", [scored(0)], "b", [scored(1)])
    assert apart.sentence == "There is no case that both have judged."


def test_a_slice_that_is_worse_is_found_and_a_small_one_is_not_judged() -> None:
    languages = ["it"] * 60 + ["en"] * 240
    slices = {
        place: {"language": (language,), "tag": ("rare",) if place < 5 else ()}
        for place, language in enumerate(languages)
    }
    before = [scored(place) for place in range(300)]
    after = [scored(place, passed=place >= 30) for place in range(300)]
    found = {(each.name, each.value): each for each in compare_scored("a", before, "b", after, slices).slices}
    assert found["language", "it"].is_more_than_noise
    assert found["language", "it"].difference.value == -0.5
    assert not found["language", "en"].is_more_than_noise
    rare = found["tag", "rare"]
    assert (rare.small, rare.adjusted_p, rare.is_more_than_noise, rare.difference.only_first) == (True, None, False, 5)


def test_chance_is_not_found_in_some_slice_of_many() -> None:
    """Without Holm's correction one of fifty slices would look worse or better nearly always."""
    generator = random.Random(20261116)
    alarms = 0
    trials = rounds(14, 40)
    for _ in range(trials):
        slices = {place: {"tag": (f"tag {place % 50}",)} for place in range(2_000)}
        first, second = ([scored(place, passed=generator.random() < 0.8) for place in range(2_000)] for _ in range(2))
        alarms += any(each.is_more_than_noise for each in compare_scored("a", first, "b", second, slices).slices)
    assert alarms <= trials * 0.15


def test_what_every_case_has_in_common_is_no_slice() -> None:
    slices = {place: {"source": ("ours",), "language": ("en" if place else "it",)} for place in range(30)}
    figures = make_slices([scored(place, passed=place > 2) for place in range(30)], slices)
    assert [(each.name, each.value, each.right.total, each.small) for each in figures] == [
        ("language", "en", 29, False), ("language", "it", 1, True),
    ]  # fmt: skip
    assert figures[0].verdicts == {"right": 27, "wrong_arguments": 2}


def against(position: int, **more: object) -> object:
    return scored(position, passed=False, label="unknown", final="list_tasks", verdict="acted_unasked", **more)


def test_sure_deciders_that_agree_against_the_label_make_it_suspect() -> None:
    engine = [against(0, confidence=0.97), against(1, confidence=0.5), against(2), scored(3)]
    llm = [against(0, confidence=None), against(1), scored(2, label="unknown", final="unknown"), scored(3)]
    (found,) = find_suspects({"engine": engine, "llm": llm})  # type: ignore[dict-item]
    assert (found.key, found.label, found.instead, found.confidence) == (key_of(0), "unknown", "list_tasks", 0.97)
    assert found.deciders == ("engine", "llm")
    assert find_suspects({"engine": engine, "llm": llm}, settled={key_of(0)}) == ()  # type: ignore[dict-item]


def test_deciders_that_are_wrong_in_different_ways_prove_nothing_about_the_label() -> None:
    engine = [scored(0, passed=False, label="unknown", final="list_tasks")]
    llm = [scored(0, passed=False, label="unknown", final="add_task")]
    failed = [scored(0, passed=False, label="unknown", final="none", outcome="none", confidence=None)]
    assert find_suspects({"engine": engine, "llm": llm, "other": failed}) == ()
    assert find_suspects({"engine": engine}) == ()


def test_the_same_wrong_arguments_of_both_are_suspect_other_ones_are_not() -> None:
    alike = [scored(0, passed=False, signature="x")]
    other = [scored(0, passed=False, signature="y")]
    assert len(find_suspects({"engine": alike, "llm": list(alike)})) == 1
    assert find_suspects({"engine": alike, "llm": other}) == ()
