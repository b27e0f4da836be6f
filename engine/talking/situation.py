"""Where the conversation stands: what was done last, to what, and what was shown."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Context, Message
from engine.policy.values import Policy
from engine.reading.read import read_request, score
from engine.text.normalise import normalise
from engine.values import ToolCall

_LOOK_BACK = 8
"""Messages: what was done longer ago is no longer what "it" and "no, on Friday" are about."""


class TalkSituation(NamedTuple):
    effect: str = ""
    """Of what was done last: add, change, finish, remove or read; empty: nothing, or nobody knows."""
    calls: tuple[ToolCall, ...] = ()
    """What was carried out then."""
    spoken_of: tuple[str, ...] = ()
    """The ids named in the latest message that named any."""
    listed: tuple[str, ...] = ()
    """What was shown last, in its order."""
    list_call: ToolCall | None = None
    """How it was asked for."""
    words: str = ""
    """What the assistant said about it."""
    fresh: bool = True
    """Whether nothing was said since."""
    mended: bool = False
    """Whether the last change put something right that had just been added."""
    recent: tuple[str, ...] = ()
    """Every id named lately, the latest first."""
    before: str = ""
    """The effect of what was done before the last."""
    noted: bool = False
    """Whether the person spoke of a note just before."""


def read_situation(context: Context, policy: Policy) -> TalkSituation:
    recent = context.history[-_LOOK_BACK:]
    if not recent:
        return _NOTHING_YET
    history, known, found = _latest[0]
    if history is not context.history or known is not policy:
        found = _read(recent, policy)
        _latest[0] = (context.history, policy, found)
    return found


_NOTHING_YET = TalkSituation()
_latest: list[tuple[tuple[Message, ...], Policy | None, TalkSituation]] = [((), None, _NOTHING_YET)]
"""What was found last: every clause of a message asks about the same conversation."""


def _read(recent: tuple[Message, ...], policy: Policy) -> TalkSituation:
    acted = [each for each in recent if each.calls]
    acting = acted[-1] if acted else None
    spoken = next((each.tasks for each in reversed(recent) if each.tasks), ())
    lists = [
        (message, call)
        for message in recent
        for call in message.calls
        if policy.catalogue.intent_of(call.tool_name) in policy.catalogue.lists
    ]
    shown, list_call = lists[-1] if lists else (None, None)
    named = tuple(dict.fromkeys(each for message in reversed(recent) for each in reversed(message.tasks)))
    noted = _speaks_of_note(recent, policy)
    if acting is None:
        return TalkSituation(_guess_effect(recent, policy), (), spoken, recent=named, noted=noted)
    return TalkSituation(
        _effect_of(acting, policy),
        acting.calls,
        spoken,
        shown.tasks if shown else (),
        list_call,
        acting.content,
        acting is recent[-1],
        _mends(acting, recent, policy),
        named,
        _effect_of(acted[-2], policy) if len(acted) > 1 else "",
        noted,
    )


def _speaks_of_note(recent: tuple[Message, ...], policy: Policy) -> bool:
    said = next((each.content for each in reversed(recent) if each.role == "user"), "")
    if not said:
        return False
    words = normalise(said[:_LONGEST], policy.spellings, policy.elisions).words
    return not policy.lexicon.names(words).isdisjoint(_NOTE)


_NOTE = ("cue_note", "cue_ask_note")
_LONGEST = 300


def _effect_of(message: Message, policy: Policy) -> str:
    facts = policy.catalogue.by_name.get(message.calls[-1].tool_name)
    return facts.effect if facts else ""


def _mends(acting: Message, recent: tuple[Message, ...], policy: Policy) -> bool:
    catalogue = policy.catalogue
    facts = catalogue.by_name.get(acting.calls[-1].tool_name)
    if facts is None or facts.effect != "change":
        return False
    added = {
        each
        for message in recent
        for call in message.calls
        if (tool := catalogue.by_name.get(call.tool_name)) and tool.effect == "add"
        for each in message.tasks
    }
    return catalogue.target_of(acting.calls[-1]) in added


def _guess_effect(recent: tuple[Message, ...], policy: Policy) -> str:
    """Where nobody kept what was carried out: the kind of thing that the last message asked for by itself."""
    said = next((each.content for each in reversed(recent) if each.role == "user"), "")
    if not said:
        return ""
    reading = read_request(normalise(said, policy.spellings, policy.elisions), policy)
    if not reading.scene.words:
        return ""
    scores = score(reading, policy)
    facts = policy.catalogue.by_intent.get(policy.catalogue.intents[scores.index(max(scores))])
    return facts.effect if facts else ""
