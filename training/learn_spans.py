"""Learns which words of a message are the name of a new thing or the text of a note, from written conversations.

`training/learn_talk.py` calls it and writes what comes of it into `talk.json`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from engine.decider import RuleDecider
from engine.reading.weighing import weigh_request
from engine.talking.noticing import Noticed, begin, notice
from engine.talking.spans import tell_word
from engine.text.folding import split_words
from engine.text.normalise import normalise
from evals.conversations.reading import load_conversations
from training.written import StandingTurn, each_turn

_STRENGTH = 0.5
_LEAST_SEEN, _LEAST_WORTH = 3, 0.05
Example = tuple[Noticed, list[tuple[int, int]]]


def notice_turn(standing: StandingTurn, decider: RuleDecider) -> Noticed | None:
    policy = decider.policy_of(standing.turn.say, standing.context)
    utterance = normalise(standing.turn.say, policy.spellings, policy.elisions)
    if not utterance.tokens:
        return None
    weighed = weigh_request(utterance, standing.context, policy)
    return notice(utterance, weighed, begin(utterance, weighed, standing.context, policy))


def find_words(noticed: Noticed, text: str) -> tuple[int, int] | None:
    """Where these words stand in the message, one after the other."""
    wanted = split_words(text)
    said = [(place, part) for place, token in enumerate(noticed.utterance.tokens) for part in split_words(token.norm)]
    for start in range(len(said) - len(wanted) + 1):
        if wanted and [part for _, part in said[start : start + len(wanted)]] == list(wanted):
            return said[start][0], said[start + len(wanted) - 1][0] + 1
    return None


def examples_of(paths: list[Path], decider: RuleDecider) -> dict[str, list[Example]]:
    found: dict[str, list[Example]] = {"name": [], "note": []}
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                expect = standing.turn.expect
                noticed = notice_turn(standing, decider)
                if noticed is None:
                    continue
                places = [_longest(noticed, added.title) for added in expect.add]
                if places and all(places) and not expect.set:
                    found["name"].append((noticed, [place for place in places if place]))
                for text in _notes(standing, expect):
                    place = find_words(noticed, text)
                    if place:
                        found["note"].append((noticed, [place]))
                        break
    return found


def _longest(noticed: Noticed, titles: tuple[str, ...]) -> tuple[int, int] | None:
    places = [place for title in titles if (place := find_words(noticed, title))]
    return max(places, key=lambda place: place[1] - place[0], default=None)


def _notes(standing: StandingTurn, expect: Any) -> list[str]:
    """The texts that the note of a turn's task may have gained."""
    texts: list[str] = []
    for outcome in expect.outcomes:
        texts += [each.description for each in outcome.add if each.description]
        for each in outcome.set:
            task = standing.store.find(each.task)
            before = (task or {}).get("description") or ""
            if each.description and each.description != before:
                new = each.description.removeprefix(before).removesuffix(before) if before else each.description
                texts.append(new.strip(" ,;.\n-"))
    return texts


def learn_spans(found: dict[str, list[Example]]) -> dict[str, list[dict[str, float]]]:
    return {kind: _learn(examples) for kind, examples in found.items() if examples}


def _learn(examples: list[Example]) -> list[dict[str, float]]:
    rows: list[dict[str, None]] = []
    labels: tuple[list[int], list[int], list[int]] = ([], [], [])
    for noticed, spans in examples:
        for place in range(len(noticed.weighed.reading.scene.words)):
            rows.append(dict.fromkeys(tell_word(noticed, place)))
            labels[0].append(int(any(first <= place < last for first, last in spans)))
            labels[1].append(int(any(place == first for first, _ in spans)))
            labels[2].append(int(any(place == last - 1 for _, last in spans)))
    counts = Counter(name for row in rows for name in row)
    names = sorted(name for name, count in counts.items() if count >= _LEAST_SEEN)
    where = {name: column for column, name in enumerate(names)}
    columns = [[where[name] for name in row if name in where] for row in rows]
    starts = [0]
    for each in columns:
        starts.append(starts[-1] + len(each))
    flat = [column for each in columns for column in each]
    matrix = csr_matrix(([1.0] * len(flat), flat, starts), shape=(len(rows), len(names)))
    return [_weights(matrix, label, names) for label in labels]


def _weights(matrix: csr_matrix, labels: list[int], names: list[str]) -> dict[str, float]:
    model = LogisticRegression(C=_STRENGTH, max_iter=300, tol=1e-3).fit(matrix, labels)
    table = {name: round(float(weight), 2) for name, weight in zip(names, model.coef_[0], strict=True)}
    kept = {name: weight for name, weight in table.items() if abs(weight) >= _LEAST_WORTH}
    return {"": round(float(model.intercept_[0]), 2), **kept}
