"""Taking the last change back, or bringing back something that is gone; the store knows what that is."""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN
from engine.decision import Reason, Reference, Slot
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.titles import clean
from engine.talking.basis import Basis, basis_of, judge_with
from engine.talking.moves.noticed import Noticed
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.values import Heard, Sign, Told, add_up
from engine.talking.ways.changing import changing_tool
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Task

_ANY_TASK = frozenset({"item", "items", "list", "date_field", "title_field", "note_field", "level_noun", "just_it"})
_LATELY = 8
RESTORED = "restored"
"""The slot that says what shall come back."""


def undo(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    place = heard.slot("gone")
    another = _names_another(place, told) if place else None
    if another:
        return _open_again(another[0], heard._replace(signs=(*heard.signs, another[1])), told)
    if place and heard.way.follows and (not _was_spoken_of(place, told) or _is_one_of_several(place, told)):
        return None
    words = (
        clean(told.reading.utterance, *place, told.policy, lead="mention_lead", tail="mention_tail") if place else None
    )
    slots = (Slot(RESTORED, words.value, words.span),) if words else ()
    return (_outcome(heard, told)._replace(slots=slots),)


def _is_one_of_several(place: tuple[int, int], told: Told) -> bool:
    """ "leave the groundsman where he was", after two were moved: the other one stays where it is."""
    wanted = set(content_words(told.reading.scene.words[slice(*place)], told.policy))
    titles = [task.title for each in set(_last_about(told)) if each and (task := told.context.tasks.find_by_id(each))]
    named = [title for title in titles if not wanted.isdisjoint(content_words(title_words(title), told.policy))]
    return len(titles) > 1 and 0 < len(named) < len(titles)


def _was_spoken_of(place: tuple[int, int], told: Told) -> bool:
    """Whether what shall come back may be what was changed or deleted: its name, or a word for any task or value, was
    said. Not "put the kettle back on"."""
    policy, words = told.policy, told.reading.scene.words[slice(*place)]
    named = [word for word in words if _ANY_TASK.isdisjoint(policy.word_classes.get(word, ()))]
    wanted = set(content_words(named, policy))
    titles = [task.title for each in _last_about(told) if each and (task := told.context.tasks.find_by_id(each))]
    said = [*titles, *(message.content for message in told.context.history[-_LATELY:])]
    return not wanted or any(not wanted.isdisjoint(content_words(title_words(text), policy)) for text in said)


def _names_another(place: tuple[int, int], told: Told) -> tuple[Reference, Sign] | None:
    """Something that is stored, by its name, and that the last change was not about. Where something was deleted
    lately, that may be called so."""
    found = None if _was_deleted_lately(told) else name_target(place, told)
    if found is None or found[0].task_id is None or found[0].candidates[0].how not in ("partial", "exact"):
        return None
    return None if found[0].task_id in _last_about(told) else found


def _is_all_another(gone: list[int], noticed: Noticed) -> bool:
    """ "put the desks back", which are to do: the one thing named, and not what was changed last."""
    named = [each for each in noticed.mentioned if each.named and not each.slips]
    if len(named) != 1 or not gone or not set(gone) <= set(named[0].places) or _was_deleted_lately(noticed.told):
        return False
    return named[0].task.id not in _last_about(noticed.told)


def _is_another_thing(noticed: Noticed) -> bool:
    """ "rimetti il bollitore sul fuoco": right after the word for taking back a thing is named that nobody spoke of."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    after = [last for name, _, last in noticed.cues if name == "undo" and last + 1 < len(words)]
    near = range(after[0], min(after[0] + 2, len(words) - 1)) if len(after) == 1 else ()
    article = next((at for at in near if "title_article" in policy.word_classes.get(words[at], ())), 0)
    if not article or policy.lexicon.ends("last_change", words, article):
        return False
    return not _was_spoken_of((article, article + 2), noticed.told)


def _was_deleted_lately(told: Told) -> bool:
    by_name = told.policy.catalogue.by_name
    facts = [by_name.get(call.tool_name) for message in told.context.history for call in message.calls]
    return any(each and each.effect == "remove" for each in facts)


def _last_about(told: Told) -> set[str | None]:
    """What the last change was made to, or told of."""
    last = next((message for message in reversed(told.context.history) if message.calls), None)
    return {*last.tasks, *[told.policy.catalogue.target_of(call) for call in last.calls]} if last else set()


def _open_again(reference: Reference, heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    """ "put the lamp batteries back on the list", which are done: to do again. None of what is still to be done."""
    facts, states = changing_tool(told), told.policy.catalogue.states
    state = facts.argument("status") if facts else ""
    task = told.context.tasks.find_by_id(reference.task_id or "")
    if facts is None or not state or not isinstance(task, Task) or task.status != states[1]:
        return None
    slot = Slot(state, states[0], told.reading.utterance.span(heard.start, heard.end))
    drafted = Draft(facts.intent, (Argument(state, slot.value, Provenance("words", slot.span)),), (slot,))
    basis = basis_of(heard)._replace(act="request")
    return (judge_with(basis, facts, drafted, reference, told),)


def redo(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    return (_outcome(heard, told),)


def take_back(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    gone = [place for place in noticed.content if not any(first <= place < last for _, first, last in noticed.cues)]
    slots: tuple[Slot, ...] = ()
    if _is_all_another(gone, noticed) or _is_another_thing(noticed):
        return None
    if gone and noticed.has_cue("undo") and not noticed.points:
        span = noticed.utterance.span(gone[0], gone[-1] + 1)
        slots = (Slot(RESTORED, noticed.utterance.slice(span), span),)
    return (_of_basis(basis, noticed)._replace(slots=slots),)


def make_again(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return (_of_basis(basis, noticed),)


def _of_basis(basis: Basis, noticed: Noticed) -> Outcome:
    return Outcome(
        "execute",
        UNKNOWN,
        Reason.MATCHED_RULE,
        say(noticed.told.policy, f"doing_{basis.act}"),
        confidence=add_up(basis.ledger),
        ledger=basis.ledger,
        act=basis.act,
    )


def _outcome(heard: Heard, told: Told) -> Outcome:
    return Outcome(
        "execute",
        UNKNOWN,
        Reason.MATCHED_RULE,
        say(told.policy, f"doing_{heard.way.act}"),
        confidence=add_up(heard.ledger()),
        ledger=heard.ledger(),
        act=heard.way.act,
    )
