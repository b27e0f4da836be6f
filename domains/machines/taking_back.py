"""Undo in words: "take that back", "annulla", where nothing else is said. The store knows what the last change is."""

from __future__ import annotations

from typing import Literal, NamedTuple

from domains.machines.composing.phrasing import replies_of
from domains.machines.in_force import load_policies, once_a_policy
from engine.decision import Decision, Factor, Language, Reason, Sentence
from engine.domain import UNKNOWN
from engine.text.folding import split_words
from engine.values import Span

_CLASSES: dict[str, Literal["undo", "redo"]] = {"taken_back": "undo", "made_again": "redo"}
_LONGEST = 100
"""Letters: whoever writes more says something else, too."""


class TakingBack(NamedTuple):
    act: Literal["undo", "redo"]
    language: Language


def read_taking_back(text: str) -> TakingBack | None:
    """None where anything else is said, too: "annulla il ciclo" stops a cycle."""
    return _find(split_words(text)) if len(text) <= _LONGEST else None


def _find(words: tuple[str, ...]) -> TakingBack | None:
    for language, (phrases, frills) in _load().items():
        left = _without(words, frills)
        if words in phrases or left in phrases:
            return TakingBack(phrases[words if words in phrases else left], language)
    return None


def _without(words: tuple[str, ...], frills: frozenset[str]) -> tuple[str, ...]:
    first, last = 0, len(words)
    while first < last and words[first] in frills:
        first += 1
    while last > first and words[last - 1] in frills:
        last -= 1
    return words[first:last]


_Ways = dict[tuple[str, ...], Literal["undo", "redo"]]


@once_a_policy
def _load() -> dict[Language, tuple[_Ways, frozenset[str]]]:
    return {
        language: (
            {split_words(phrase): act for name, act in _CLASSES.items() for phrase in policy.words.get(name, ())},
            frozenset(word for phrase in policy.words.get("taken_back_frill", ()) for word in split_words(phrase)),
        )
        for language, policy in load_policies().items()
    }


def decide_taking_back(asked: TakingBack, text: str, version: str) -> Decision:
    message = replies_of(asked.language)[f"doing_{asked.act}"]
    return Decision(
        "engine",
        "execute",
        UNKNOWN,
        Reason.MATCHED_RULE,
        confidence=1.0,
        ledger=(Factor("asks for the last change back", 1.0, Span(0, len(text))),),
        message=message,
        sentences=(Sentence("plan", message),),
        policy_version=version,
        language=asked.language,
        act=asked.act,
    )
