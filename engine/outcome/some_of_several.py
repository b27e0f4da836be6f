"""An answer to a question about several things that takes only some of them: "only the first", "just the milk",
"not the inspection, the others yes"."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Pending
from engine.policy.classes import ORDINALS
from engine.policy.values import Policy
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import ToolCall

_LONGEST = 12
_ONLY, _EXCEPT, _OTHERS, _LAST = "only_some", "except_some", "the_others", "ordinal_last"
_AND_YES = frozenset({_OTHERS, "yes_word", "firm_yes"})
_NO = frozenset({"negation", "no_word"})


def take_some(pending: Pending, utterance: Utterance, context: Context, policy: Policy) -> Pending | None:
    """The question with those left that the answer takes; None where it takes all of them, or none, or is no answer."""
    words = utterance.words
    if pending.kind != "confirm" or not pending.named or not 1 < len(words) <= _LONGEST:
        return None
    asked = (pending.call, *pending.then[: pending.named])
    names = {name for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)}
    denied = not names.isdisjoint(_NO)
    spared = _EXCEPT in names
    if _ONLY not in names and not spared and not (denied and not names.isdisjoint(_AND_YES)):
        return None
    said = [place for place in range(len(words)) if words[place] not in policy.small_words]
    meant = {number for number, call in enumerate(asked) if _is_named(call, words, said, context, policy)}
    meant |= _by_place(words, len(asked), policy)
    refused = {
        number for number in meant if spared or (denied and _is_refused(asked[number], utterance, context, policy))
    }
    taken = meant - refused
    if not taken and refused and (spared or _OTHERS in names):
        taken = set(range(len(asked))) - refused
    if not taken or len(taken) == len(asked):
        return None
    first, *rest = (asked[number] for number in sorted(taken))
    return replace(pending, call=first, then=(*rest, *pending.then[pending.named :]), named=len(rest))


def _by_place(words: tuple[str, ...], count: int, policy: Policy) -> set[int]:
    found = {number for number, name in enumerate(ORDINALS[:count]) if policy.lexicon.says(name, words)}
    last = policy.lexicon.says(_LAST, words)
    return found | ({count - 1} if last else set())


def _title(call: ToolCall, context: Context, policy: Policy) -> frozenset[str]:
    task = context.tasks.find_by_id(policy.catalogue.target_of(call) or "")
    return (
        frozenset(word for word in title_words(task.title) if word not in policy.small_words) if task else frozenset()
    )


def _is_named(call: ToolCall, words: tuple[str, ...], said: list[int], context: Context, policy: Policy) -> bool:
    return not _title(call, context, policy).isdisjoint(words[place] for place in said)


def _is_refused(call: ToolCall, utterance: Utterance, context: Context, policy: Policy) -> bool:
    """Whether the part of the answer between two signs that names it has a no: "not the inspection, …"."""
    title, tokens, classes = _title(call, context, policy), utterance.tokens, policy.word_classes
    parts: list[list[str]] = [[]]
    for place, token in enumerate(tokens):
        if place and utterance.text[tokens[place - 1].end : token.start].strip():
            parts.append([])
        parts[-1].append(token.norm)
    return any(
        not title.isdisjoint(part) and any(not _NO.isdisjoint(classes.get(word, ())) for word in part) for part in parts
    )
