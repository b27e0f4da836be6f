"""A yes or a no in other words: what the message says, weighed with the question that waits."""

from __future__ import annotations

from engine.decision import Context
from engine.outcome.asked import name_of, needs_yes
from engine.outcome.yes_no import ends_at, is_firm, talks_of
from engine.policy.talk_weights import NO, YES
from engine.policy.values import Policy
from engine.reading.weighing import Weighed
from engine.talking.moves.moving import weigh_moves
from engine.talking.moves.noticing import begin, notice
from engine.talking.names.pointing import unexplained
from engine.text.normalise import Utterance

_SURE_YES, _SURE_NO = 0.7, 0.6
"""A no changes nothing: less will do."""


def hear_answer(utterance: Utterance, weighed: Weighed, context: Context, policy: Policy) -> str | None:
    """`yes` or `no` where the message as a whole says so; None where it says neither surely enough. A yes needs a word
    for it: what sounds like one by its shape alone is as often a remark ("they are so tiny")."""
    if context.pending is None or context.pending.kind != "confirm" or not policy.talk.moves:
        return None
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    shares = weigh_moves(noticed)
    if shares is None:
        return None
    move, share = policy.talk.moves[shares.order[0]], shares.of[shares.order[0]]
    if move == NO and share >= _SURE_NO:
        return NO
    words = weighed.reading.scene.words
    said = {name for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)}
    if move != YES or said & _DENIES or weighed.reading.guard:
        return None
    if "yes_word" in said and _only_sounds_like_yes(utterance, context, policy):
        return None
    left = len(unexplained(noticed))
    agrees = bool(said & _AGREES) and not left and share >= _SURE_YES
    if "yes_word" not in said and _is_about_another(utterance, context, policy):
        return None
    return YES if agrees else None


def _only_sounds_like_yes(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """ "right, tea break": a word that also opens a remark, and a remark."""
    pending = context.pending
    if pending is None or is_firm(utterance, policy):
        return False
    if not (needs_yes(pending, policy) or _only_opens(utterance, policy)):
        return False
    return bool(talks_of(utterance, policy, name_of(pending, context, policy)))


def _only_opens(utterance: Utterance, policy: Policy) -> bool:
    """Whether it begins with a word that many a sentence begins with, set apart."""
    return "interjection" in policy.word_classes.get(utterance.tokens[0].norm, ()) and ends_at(utterance, 1, policy)


def _is_about_another(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """ "cancel the knee pads" while something else is asked about: the verb alone would sound like a yes."""
    pending = context.pending
    about = name_of(pending, context, policy) if pending else ""
    return bool(about) and bool(talks_of(utterance, policy, about))


_AGREES = frozenset({"yes_word", "cue_off", "cue_done"})
_DENIES = frozenset({"negation", "no_word", "cancel_word"})
