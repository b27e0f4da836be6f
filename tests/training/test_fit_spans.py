"""What is learned of stretches: the shares are those of all ways to mark them, and what tells a name is found."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, pairwise
from math import exp

import numpy as np
import pytest

from engine.policy.talk_weights import SpanWeights
from engine.talking.names.spans import Stretch, best_stretches, share_each_stretch
from training.fit_spans import fit_spans, share_stretches

_SIZE = 5


def all_ways() -> list[tuple[Stretch, ...]]:
    stretches = [(first, end) for first in range(_SIZE) for end in range(first + 1, _SIZE + 1)]
    chosen = [each for count in range(_SIZE + 1) for each in combinations(stretches, count)]
    return [each for each in chosen if all(one[1] <= next_[0] for one, next_ in pairwise(each))]


@pytest.mark.parametrize("several", [True, False])
def test_shares_are_those_of_all_ways_to_mark_stretches(several: bool) -> None:
    scores = np.random.default_rng(0).normal(size=(_SIZE, 3))
    wanted, whole, of_each = np.zeros((_SIZE, 3)), 0.0, defaultdict[Stretch, float](float)
    for way in all_ways():
        if several or len(way) == 1:
            worth = sum(scores[a, 1] + scores[a + 1 : b, 0].sum() + scores[b - 1, 2] for a, b in way)
            whole += exp(worth)
            for each in way:
                of_each[each] += exp(worth)
            for first, end in way:
                wanted[first, 1] += exp(worth)
                wanted[first + 1 : end, 0] += exp(worth)
                wanted[end - 1, 2] += exp(worth)
    assert share_stretches(scores, several=several) == pytest.approx(wanted / whole)
    columns = (scores[:, part].tolist() for part in range(3))
    shares = share_each_stretch(*columns, several=several)
    assert shares == pytest.approx({each: worth / whole for each, worth in of_each.items()})


def told(text: str) -> list[dict[str, None]]:
    """Each word by itself, by the one before it, and by whether it is a name's."""
    words = text.split()
    kinds = ["name" if word.isupper() else "other" for word in words]
    return [
        dict.fromkeys((f"word {word}", f"kind {kind}", f"past {before}"))
        for word, kind, before in zip(words, kinds, ["none", *kinds], strict=False)
    ]


def test_the_kind_of_its_words_tells_a_name_that_nobody_said_before() -> None:
    examples = [
        (told("add MILK please"), [[(1, 2)]]),
        (told("please add RYE BREAD"), [[(2, 4)]]),
        (told("add TEA and CAKE"), [[(1, 2)], [(3, 4)]]),
        (told("BREAD and MILK now please"), [[(0, 1)], [(2, 3)]]),
        (told("add OAT MILK and now TEA"), [[(1, 3)], [(5, 6)]]),
    ]
    weights = SpanWeights(*fit_spans(examples * 4, several=True))
    assert best_stretches(*weights.scores(told("now add FRESH PLUM JAM and SALT please"))) == ((2, 5), (6, 7))
