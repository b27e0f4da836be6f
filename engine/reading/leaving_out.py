"""All but some: "I did everything except the dentist". What is named then is what is not meant."""

from __future__ import annotations

from engine.policy.values import Policy


def leaves_out(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether all there is is spoken of, and something left out of it."""
    return policy.lexicon.names(words) >= _ALL_BUT_SOME


_ALL_BUT_SOME = frozenset({"every", "except_some"})
