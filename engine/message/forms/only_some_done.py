""" "Sorry, only the dog": of several things that were just finished together, only some are done after all. The others
are open again."""

from __future__ import annotations

from engine.decision import Context
from engine.message.forms.opened_again import open_again
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.talking.names.naming import content_words
from engine.talking.situation import read_situation
from engine.text.folding import title_words
from engine.text.normalise import Utterance

_ONLY = "only_some"
_LONGEST = 16


def read_only_some_done(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    words = utterance.words
    if not 1 < len(words) <= _LONGEST or _ONLY not in policy.lexicon.names(words):
        return None  # most messages
    done = _finished_together(context, policy)
    if len(done) < 2:
        return None
    kept = _named(_said_after_only(utterance, words, policy), done, context, policy)
    if not kept or len(kept) == len(done):
        return None
    others = [open_again(each, "only some of them", utterance, context, policy) for each in done if each not in kept]
    return tuple(each for each in others if each) or None


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
