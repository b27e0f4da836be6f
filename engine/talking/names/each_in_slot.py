"""Several things in the one place of a way of saying: "the tablets and the reminders are both done", "the bags and the
change can go on Thursday". What is said of them is said of each."""

from __future__ import annotations

from engine.decision import Reference
from engine.policy.values import Policy
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.names.several_named import cut_pieces, is_whole
from engine.talking.values import Heard, Told
from engine.targets.stems import stem
from engine.text.folding import title_words

_MOST = 5


def find_each(heard: Heard, told: Told) -> tuple[Reference, ...]:
    """Each of the things that are named there; empty where only one is."""
    place, splitters = heard.slot("target"), told.policy.splitters
    if place is None or heard.reference is None or is_whole(heard.reference):
        return ()
    if splitters.isdisjoint(told.reading.scene.words[slice(*place)]):
        return ()  # most messages
    pieces = cut_pieces(list(range(*place)), told)
    if not 2 <= len(pieces) <= _MOST:
        return ()
    found = [named[0] for piece in pieces if (named := name_target(piece, told))]
    targets = {each.task_id for each in found if each.task_id}
    return tuple(found) if len(targets) == len(pieces) and not _share_a_name(pieces, found, told) else ()


def _share_a_name(pieces: list[tuple[int, int]], found: list[Reference], told: Told) -> bool:
    """ "tablets for Rex and Bella": the second word is in the name of the first as well."""
    policy = told.policy
    for piece in pieces:
        said = _stems(told.reading.scene.words[slice(*piece)], policy)
        named = [told.context.tasks.find_by_id(each.task_id or "") for each in found]
        having = [task for task in named if task and said <= _stems(title_words(task.title), policy)]
        if len(having) > 1:
            return True
    return False


def _stems(words: tuple[str, ...], policy: Policy) -> set[str]:
    return {stem(word, policy) for word in content_words(words, policy)}
