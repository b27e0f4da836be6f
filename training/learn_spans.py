"""Learns which words of a message are the name of a new thing or the text of a note, from written conversations.

What is learned of them is learned in `training/fit_spans.py`; `training/learn_talk.py` writes it into `talk.json`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from engine.decider import RuleDecider
from engine.talking.moves.noticed import Noticed
from engine.talking.names.spans import Stretch
from engine.talking.names.word_signs import tell_words
from engine.text.folding import split_words
from evals.conversations.reading import load_conversations
from training.fit_spans import fit_spans
from training.learn_targets import notice_turn
from training.written import StandingTurn, each_turn


class Example(NamedTuple):
    told: list[dict[str, None]]
    """What is known of each word."""
    accepted: list[list[Stretch]]
    """For each name in its order the stretches that would be right."""


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
                noticed = notice_turn(standing, decider) if expect.add or expect.set else None
                if noticed is None:
                    continue
                told = tell_words(noticed)
                names = [_stretches(noticed, added.title, len(told)) for added in expect.add]
                if names and all(names) and not expect.set:
                    found["name"].append(Example(told, sorted(names, key=min)))
                note = next((each for text in _notes(standing, expect) if (each := find_words(noticed, text))), None)
                if note and note[1] <= len(told):
                    found["note"].append(Example(told, [[note]]))
    return found


def _stretches(noticed: Noticed, titles: Iterable[str], size: int) -> list[Stretch]:
    """Where each accepted form of a title stands in the message, if it does."""
    places = {place for title in titles if (place := find_words(noticed, title)) and place[1] <= size}
    return sorted(places, key=lambda place: (place[0] - place[1], place))


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
    return {kind: fit_spans(examples, several=kind == "name") for kind, examples in found.items() if examples}
