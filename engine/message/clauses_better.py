"""Where one clause says better than the whole message what is to be done, and to what."""

from __future__ import annotations

from collections.abc import Sequence

from engine.message.clauses_against_whole import has_frame
from engine.message.clauses_together import SURE_IN_A_STORY, effect_of, is_named, target_of
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy


def says_better(acting: Sequence[JudgedRequest], understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """Whether the one thing that the clauses come to is to be taken instead of the one that the whole comes to."""
    if len(acting) != 1 or len(understood) != 1:
        return False
    whole, clause = acting[0], understood[0]
    alike = effect_of(whole, policy) == effect_of(clause, policy) != "add"
    sure = clause.outcome.action == "execute" and clause.outcome.confidence >= SURE_IN_A_STORY
    return alike and sure and (_names_it(whole, clause, policy) or _asks_in_words(whole, clause, policy))


def _names_it(whole: JudgedRequest, clause: JudgedRequest, policy: Policy) -> bool:
    """ "Esposito has paid, mark it as done": together it is what was spoken of before, although another is named."""
    return target_of(whole, policy) != target_of(clause, policy) and not is_named(whole) and _is_told(clause)


def _is_told(clause: JudgedRequest) -> bool:
    """Named in its own clause, or, where it only says "it", in the one before."""
    pointed = (each.candidates[0].how for each in clause.outcome.references if each.candidates)
    return is_named(clause) or "pronoun" in pointed


def _asks_in_words(whole: JudgedRequest, clause: JudgedRequest, policy: Policy) -> bool:
    """ "no rush for the Allegri, take the date off it": what is asked for in so many words, not what it implies."""
    same = target_of(whole, policy) == target_of(clause, policy) is not None
    calls = [each.outcome.call for each in (whole, clause)]
    given = [set(call.parameters) for call in calls if call]
    return same and has_frame(clause) and not has_frame(whole) and len(given) == 2 and given[0] != given[1]
