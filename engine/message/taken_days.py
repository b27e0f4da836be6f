""" "Move the run to Sunday, we've got a wedding on the Saturday": what is on another day says why."""

from __future__ import annotations

from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import dates_of
from engine.talking.clauses import split_clauses
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH

_TAKEN, _MOVES = "day_taken", "cue_move"


def without_taken_day(utterance: Utterance, context: Context, policy: Policy) -> Utterance:
    """The message without its last clause, where something is moved to a day and that clause tells of another."""
    words = utterance.words
    if not policy.lexicon.names(words) >= {_TAKEN, _MOVES} or "?" in utterance.own_text:
        return utterance  # most messages
    clauses = split_clauses(utterance, policy)
    if len(clauses) != _TWO or not _tells_what_is_on(clauses[1], policy):
        return utterance
    moves = policy.lexicon.says(_MOVES, tuple([token.norm for token in clauses[0].tokens]))
    days = [
        {each.value[:DAY_LENGTH] for each in dates_of(clause, context, policy, in_talk=True) if each.has_day}
        for clause in clauses
    ]
    why = moves and all(days) and days[0].isdisjoint(days[1])
    return part(utterance, 0, len(clauses[0].tokens), policy) if why else utterance


def _tells_what_is_on(clause: Utterance, policy: Policy) -> bool:
    """ "we've got …", "on Saturday we've got …"."""
    words = clause.words
    first = next((at for at, word in enumerate(words) if not _says_when(word, policy)), 0)
    return any(policy.lexicon.ends(_TAKEN, words, at) for at in {0, first})


def _says_when(word: str, policy: Policy) -> bool:
    return "date_word" in policy.word_classes.get(word, ()) or word in policy.function_words


_TWO = 2
