"""A yes or a no in other words: what the message says, weighed with the question that waits."""

from __future__ import annotations

from engine.decision import Context
from engine.policy.talk_weights import NO, YES
from engine.policy.values import Policy
from engine.reading.weighing import Weighed
from engine.talking.moving import weigh_moves
from engine.talking.noticing import begin, notice
from engine.text.normalise import Utterance

_SURE_YES, _SURE_NO = 0.85, 0.6
"""A no changes nothing: less will do."""


def hear_answer(utterance: Utterance, weighed: Weighed, context: Context, policy: Policy) -> str | None:
    """`yes` or `no` where the message as a whole says so; None where it says neither surely enough."""
    if context.pending is None or context.pending.kind != "confirm" or not policy.talk.moves:
        return None
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    shares = weigh_moves(noticed)
    if shares is None:
        return None
    move, share = policy.talk.moves[shares.order[0]], shares.of[shares.order[0]]
    if move == NO and share >= _SURE_NO:
        return NO
    denied = any("negation" in policy.word_classes.get(word, ()) for word in weighed.reading.scene.words)
    return YES if move == YES and share >= _SURE_YES and not denied and not weighed.reading.guard else None
