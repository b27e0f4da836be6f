"""Whether words say yes or no: all of them, at the beginning of more, or in passing."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.normalise import Utterance

LONGEST_YES = 6


def is_all(words: tuple[str, ...], policy: Policy, names: tuple[str, ...]) -> bool:
    """Whether the whole message is made of phrases of these classes (and of polite words)."""
    if not words or len(words) > LONGEST_YES + 2:
        return False
    place, hit = 0, False
    while place < len(words):
        found = tuple(policy.lexicon.classes(words, place))
        told = max((length for name, length in found if name in names), default=0)
        polite = max((length for name, length in found if name in ("opener", "closer")), default=0)
        if not (told or polite):
            return False
        hit = hit or bool(told)
        place += told or polite
    return hit


def find_answer_end(utterance: Utterance, policy: Policy) -> int:
    """Where a yes or a no at the beginning of a message ends; 0 where there is none. Several words that say it must
    end there, too: "I am, and …", not "I am Bob"."""
    words, place, hit = tuple(token.norm for token in utterance.tokens), 0, 0
    while place < min(len(words), LONGEST_YES):
        found = tuple(policy.lexicon.classes(words, place))
        said = [length for name, length in found if name in ("yes_word", "no_word", "cancel_word")]
        told = max((each for each in said if each == 1 or _ends_at(utterance, place + each, policy)), default=0)
        polite = max((length for name, length in found if name in ("opener", "closer")), default=0)
        if not (told or polite):
            break
        place += told or polite
        hit = place if told else hit
    return hit


def _ends_at(utterance: Utterance, place: int, policy: Policy) -> bool:
    """Whether something new begins with this word: after a sign, or with a word that joins."""
    if place >= len(utterance.tokens):
        return True
    before, after = utterance.tokens[place - 1], utterance.tokens[place]
    signs = utterance.text[before.end : after.start]
    return any(not sign.isspace() for sign in signs) or after.norm in policy.splitters


def is_small_talk(utterance: Utterance, policy: Policy) -> bool:
    words = tuple(token.norm for token in utterance.tokens)
    return any(name == "cue_chat" for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place))


def yes_or_no(words: tuple[str, ...], policy: Policy) -> str | None:
    """What a short message says in passing: "that would be most kind, yes", "ok then yes". A single no is a no; where
    anything else is asked for, or the yes is denied, it is neither."""
    if not words or len(words) > _LONGEST_ROUNDABOUT:
        return None
    names = {name for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)}
    if names & _SOMETHING_ELSE:
        return None
    if names & {"no_word", "cancel_word"}:
        return None if "yes_word" in names else "no_word"
    return "yes_word" if "yes_word" in names and "negation" not in names else None


_LONGEST_ROUNDABOUT = 7
_SOMETHING_ELSE = frozenset(
    {"cue_add", "cue_show", "cue_move", "cue_undo", "cue_note", "wh", "cue_chat", "chore", "add_lead", "corrector"}
)
