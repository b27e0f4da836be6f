""" "I have to move the dentist": who has to change something that stands in the list asks for that change, and does not
want a new thing of that name."""

from __future__ import annotations

from engine.decision import Context, Reason
from engine.message.judged import judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.talking.names.naming import content_words
from engine.text.folding import title_words
from engine.text.normalise import Utterance

_CHANGING = frozenset({"move", "change"})
_OPENING = ("opener", "interjection", "small_word")
_MOST_OPENING = 4


def read_needed_change(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """What the words after "I have to" ask for, if they change something that is known; None for everything else."""
    start = _find_change(utterance, policy)
    if not start:
        return None
    rest = part(utterance, start, len(utterance.tokens), policy)
    read = judge_in_order((rest,), context, policy)
    facts = policy.catalogue.by_effect.get("change")
    if facts is None or len(read) != 1 or read[0].outcome.intent != facts.intent:
        return None
    if read[0].outcome.reason is Reason.UNCERTAIN_TARGET:
        return None
    meant = list({each.task_id for each in read[0].outcome.references if each.task_id})
    task = context.tasks.find_by_id(meant[0]) if len(meant) == 1 else None
    verb = content_words((rest.tokens[0].norm,), policy)
    if task is None or set(verb) & set(content_words(title_words(task.title), policy)):
        return None  # "I have to change the sheets", and a task is called that
    return read


def _find_change(utterance: Utterance, policy: Policy) -> int:
    """Where a word for changing stands, right after one for what one has to do; 0 where there is none."""
    words = utterance.words
    for place in range(min(len(words), _MOST_OPENING)):
        end = max(policy.lexicon.ends("wish_lead", words, place), default=0)
        if end:
            verb = next((at for at in range(end, len(words)) if words[at] not in policy.small_words), 0)
            return verb if verb and not _CHANGING.isdisjoint(policy.word_classes.get(words[verb], ())) else 0
        if policy.word_classes.get(words[place], frozenset()).isdisjoint(_OPENING):
            return 0
    return 0
