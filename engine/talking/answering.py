"""A yes or a no in other words: what the message says, weighed with the question that waits."""

from __future__ import annotations

from engine.decision import Context
from engine.outcome.asked import name_of, needs_yes
from engine.outcome.yes_no import is_firm, talks_of
from engine.policy.talk_weights import NO, YES
from engine.policy.values import Policy
from engine.reading.weighing import Weighed
from engine.talking.moving import weigh_moves
from engine.talking.noticing import begin, notice
from engine.talking.pointing import unexplained
from engine.text.normalise import Utterance

_SURE_YES, _SURE_NO = 0.7, 0.6
"""A no changes nothing: less will do."""
_YES_WITHOUT_WORD, _MOST_LEFT = 0.93, 2
"""From this share on it needs no word that says yes ("if you'd be so kind"), if nothing much else is said."""


def hear_answer(
    utterance: Utterance, weighed: Weighed, context: Context, policy: Policy, *, in_words: bool = False
) -> str | None:
    """`yes` or `no` where the message as a whole says so; None where it says neither surely enough. `in_words`: only a
    word that says yes will do."""
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
    unsaid = not in_words and share >= _YES_WITHOUT_WORD and left <= _MOST_LEFT
    return YES if agrees or unsaid else None


def _only_sounds_like_yes(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """ "right, tea break" where a yes is needed: a word that also opens a remark, and a remark."""
    pending = context.pending
    if pending is None or not needs_yes(pending, policy) or is_firm(utterance, policy):
        return False
    return bool(talks_of(utterance, policy, name_of(pending, context, policy)))


_AGREES = frozenset({"yes_word", "cue_off", "cue_done"})
_DENIES = frozenset({"negation", "no_word", "cancel_word"})
