"""Plays conversations on a real store, through the same code as `python -m assistant play`."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from assistant.play.answer import Answer, compare_contents
from assistant.play.player import Player
from db.contents import KeptThing
from db.temporary import TemporaryStore
from engine.decision import Decider
from engine.outcome.routing import Driver
from evals.conversations.form import WrittenConversation, WrittenTurn
from evals.conversations.scoring import TurnScore, TurnStart, score
from evals.conversations.stepping import put_in_step
from evals.conversations.titles import Names

_log = logging.getLogger(__name__)
_MOST_TRIED = 10


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    place: int
    """From 1."""
    turn: WrittenTurn
    score: TurnScore
    answer: Answer
    pressed: str = ""
    """The button that did what was expected."""


@dataclass(frozen=True, slots=True)
class ConversationResult:
    conversation: WrittenConversation
    turns: tuple[PlayedTurn, ...]

    @property
    def right(self) -> bool:
        return all(each.score.right for each in self.turns)


def run_conversations(
    conversations: Iterable[WrittenConversation],
    driver: Driver = "engine",
    *,
    in_step: bool = False,
    engine: Decider | None = None,
) -> Iterator[ConversationResult]:
    """`in_step`: after a turn that failed, the store is made what was expected; later turns start from there. `engine`:
    who decides in place of the domain's own."""
    with TemporaryStore() as store:
        player = Player(store, engine=engine)
        for conversation in conversations:
            yield _run(player, conversation, driver, in_step=in_step)


def _run(player: Player, conversation: WrittenConversation, driver: Driver, *, in_step: bool) -> ConversationResult:
    things = player.start(conversation.start(driver))
    names = Names(things, conversation.lang)
    results: list[PlayedTurn] = []
    for place, turn in enumerate(conversation.turns, start=1):
        pending = results[-1].answer.pending if results else None
        situation = TurnStart(things, pending, names, player.domain.catalogue)
        result = play_turn(player, place, turn, situation)
        results.append(result)
        things = result.answer.things
        if in_step and not result.score.right:
            things = put_in_step(player, situation.before, things, turn.expect, names)
        names.follow(things)
        for task_id, titles in result.score.called:
            names.call(task_id, titles)
    return ConversationResult(conversation, tuple(results))


def play_turn(player: Player, place: int, turn: WrittenTurn, situation: TurnStart) -> PlayedTurn:
    """Said, scored, and where a button does what was expected, pressed."""
    try:
        answer = player.say(turn.say)
    except Exception as error:
        _log.exception("A turn of a conversation failed")
        answer = Answer(situation.before, pending=situation.pending)
        return PlayedTurn(place, turn, TurnScore("missed", (f"it raised {type(error).__name__}: {error}",)), answer)
    situation.names.meet(answer.things)
    scored = score(turn.expect.outcomes, situation, answer)
    if scored.right or answer.changes:
        return PlayedTurn(place, turn, scored, answer)
    return _try_buttons(player, PlayedTurn(place, turn, scored, answer), situation)


def _try_buttons(player: Player, result: PlayedTurn, situation: TurnStart) -> PlayedTurn:
    """Where a button does exactly the change that is expected, it was offered. That button stays pressed."""
    expected = [outcome for outcome in result.turn.expect.outcomes if outcome.changes]
    buttons = [button for button in result.answer.buttons if not button.declines]
    if not expected or not buttons:
        return result
    mark = player.mark()
    for button in buttons[:_MOST_TRIED]:
        answer = _joined(result.answer, player.press(button.label), situation.before)
        situation.names.meet(answer.things)
        scored = score(expected, situation, answer)
        if scored.right:
            return replace(result, score=replace(scored, verdict="offered"), answer=answer, pressed=button.label)
        player.put_back(mark)
    return result


def _joined(first: Answer, second: Answer, before: Mapping[str, KeptThing]) -> Answer:
    """Both answers as one: what the question said counts as told."""
    return replace(
        second,
        reply=f"{first.reply} {second.reply}",
        changes=compare_contents(before, second.things),
        shown=second.shown if second.listed else first.shown,
        listed=first.listed or second.listed,
    )
