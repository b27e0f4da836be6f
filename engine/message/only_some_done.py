""" "Sorry, only the dog": of several things that were just finished together, only some are done after all. The others
are open again."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.talking.names.naming import content_words
from engine.talking.situation import read_situation
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance

_SURE = 0.93
_ONLY = "only_some"
_LONGEST = 16


def read_only_some_done(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    words = tuple([token.norm for token in utterance.tokens])
    if not 1 < len(words) <= _LONGEST or _ONLY not in policy.lexicon.names(words):
        return None  # most messages
    facts, done = policy.catalogue.by_effect.get("change"), _finished_together(context, policy)
    state = facts.argument("status") if facts else ""
    if facts is None or not state or len(done) < 2:
        return None
    kept = _named(_said_after_only(utterance, words, policy), done, context, policy)
    if not kept or len(kept) == len(done):
        return None
    return tuple(_open_again(each, facts, state, utterance, context, policy) for each in done if each not in kept)


def _finished_together(context: Context, policy: Policy) -> tuple[str, ...]:
    situation = read_situation(context, policy)
    if situation.effect != "finish" or not situation.fresh:
        return ()
    targets = [policy.catalogue.target_of(call) for call in situation.calls]
    return tuple(dict.fromkeys(each for each in targets if each))


def _said_after_only(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    """The words from "only" to the next sign."""
    for place in range(len(words)):
        start = max(policy.lexicon.ends(_ONLY, words, place), default=0)
        if start:
            end = next((at for at in range(start + 1, len(words)) if _is_cut(utterance, at)), len(words))
            return words[start:end]
    return ()


def _is_cut(utterance: Utterance, place: int) -> bool:
    before, after = utterance.tokens[place - 1], utterance.tokens[place]
    return bool(utterance.text[before.end : after.start].strip())


def _named(words: tuple[str, ...], done: tuple[str, ...], context: Context, policy: Policy) -> set[str]:
    said = set(content_words(words, policy))
    tasks = {each: context.tasks.find_by_id(each) for each in done}
    return {each for each, task in tasks.items() if task and said & set(content_words(title_words(task.title), policy))}


def _open_again(
    task_id: str, facts: ToolFacts, state: str, utterance: Utterance, context: Context, policy: Policy
) -> JudgedRequest:
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    span = utterance.span(0, len(utterance.tokens))
    slot = Slot(state, policy.catalogue.states[0], span)
    basis = Basis("move:only_some", "correct", _SURE, (Factor("only some of them", _SURE),), 0, len(utterance.tokens))
    reference = Reference(utterance.text, span, (Candidate(task_id, 0.95, "pronoun"),), task_id)
    drafted = Draft(facts.intent, (Argument(slot.name, slot.value, Provenance("words", span)),), (slot,))
    return JudgedRequest(utterance, whole, judge_with(basis, facts, drafted, reference, told))
