"""Turns of written conversations as examples: what the model sees, and the calls that come to what is expected.

What is expected is a change of the store; the calls that make it are in the model's form: tasks by their numbers,
values as words of the message. A turn whose values nobody can copy is left out.
"""

from __future__ import annotations

import random
from pathlib import Path

from domains.deciders import make_engine
from domains.loading import load_domain
from engine.decider import RuleDecider
from evals.conversations.form import ExpectedOutcome
from evals.conversations.reading import load_conversations
from llm.prompt import trained_messages
from llm.tool_list import REDO, UNDO
from training.adapter.example import Call, Example
from training.adapter.speaker import load_words
from training.adapter.written_changes import brought_back, write_add, write_delete, write_set
from training.adapter.written_lists import write_asking, write_reading
from training.adapter.written_scene import Changes, Scene, State, find_scene, follow, state_after, state_of
from training.written import StandingTurn, each_turn

_HIGHER_NUMBERS = 60
_CHANGES = ("undo",)


def written_examples(path: Path, seed: int) -> list[Example]:
    """Those of one file."""
    engine, domain = make_engine(), load_domain()
    chooser = random.Random(f"{seed} {path.name}")  # noqa: S311 - nothing secret
    found: list[Example] = []
    for conversation in load_conversations([path]):
        more = chooser.choice((0, 0, chooser.randint(1, _HIGHER_NUMBERS)))
        changes = Changes()
        made = [example_of(standing, engine, changes, more) for standing in each_turn(conversation, domain)]
        found += [example for example in made if example]
    return found


def example_of(standing: StandingTurn, engine: RuleDecider, changes: Changes, more: int = 0) -> Example | None:
    scene = find_scene(standing, changes, more)
    language, turn = standing.conversation.lang, standing.turn
    before, after = state_of(standing.store), state_after(turn.expect.outcomes[0], standing.store)
    calls: tuple[Call, ...] | None = None
    for outcome in turn.expect.outcomes:
        calls = _calls(outcome, scene, engine, changes, after)
        if calls is not None:
            break
    follow(changes, before, after, calls, standing.place)
    changes.asked = engine.decide(turn.say, scene.context).pending if turn.expect.outcomes[0].ask else None
    if calls is None:
        return None
    messages = tuple(trained_messages(turn.say, scene.context))
    text = "" if calls else load_words(language)["replies"]["chat"]
    return Example(f"written_{turn.kind}", language, messages, calls, text)


def _calls(
    outcome: ExpectedOutcome, scene: Scene, engine: RuleDecider, changes: Changes, after: State
) -> tuple[Call, ...] | None:
    if outcome.nothing:
        return () if not outcome.tell else None
    if scene.kind in _CHANGES and outcome.changes:
        if changes.before and after == changes.before[-1]:
            return ((UNDO, {}),)
        if changes.undone and after == changes.undone[-1]:
            return ((REDO, {}),)
        back = brought_back(outcome, scene)
        if back:
            return ((UNDO, {"title": back}),)
    if outcome.ask:
        return write_asking(scene, engine)
    if outcome.show is not None or outcome.tell:
        return write_reading(outcome, scene, engine) if not outcome.changes else None
    found: list[Call | None] = []
    found += [write_add(added, scene) for added in outcome.add]
    found += [write_set(changed, scene) for changed in outcome.set]
    found += [write_delete(forms, scene) for forms in (*outcome.delete, *outcome.ask_delete)]
    if not found or any(call is None for call in found):
        return None
    return tuple(call for call in found if call)
