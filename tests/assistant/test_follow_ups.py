"""Requests in two clauses and what people say next, on the real store: what changes, what is shown, what is asked.

`follow_ups.yaml` holds one line each: what is said (the last after what came before it), and what comes of the last.
Lines under `not_yet` must fail: one that starts to pass turns red until it is taken off that list.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.play.player import Answer, Player
from assistant.play.start import Start
from db.temporary import TemporaryStore
from engine.policy.yaml_text import read_own_yaml

_CASES: dict[str, Any] = read_own_yaml((Path(__file__).parent / "follow_ups.yaml").read_text("utf-8"))
_KEPT = ("title", "due_date", "priority", "description", "status")
_AS_NEW = {"priority": "medium", "status": "pending", "description": "", "due_date": None}


def _start(language: str) -> Start:
    tasks = [
        {"title": title, **({"due_date": due} if due else {}), **({"priority": level} if level else {})}
        for title, due, level in _CASES["tasks"][language]
    ]
    return Start.model_validate({"id": "follow-ups", "lang": language, "now": _CASES["now"], "tasks": tasks})


def _told(answer: Answer, player: Player, *, agreeing: bool) -> dict[str, Any]:
    """What came of it, without what any new task has; `agreeing`: what a yes to its question does."""
    yes = next((button for button in answer.buttons if not button.declines), None)
    if agreeing and not answer.changes and yes and answer.pending and answer.pending.kind == "confirm":
        return {"offers": _told(player.press(yes.label), player, agreeing=False).get("changes", [])}
    changes = []
    for change in answer.changes:
        new = {name: value for name, value in change.after.items() if name in _KEPT}
        if change.op == "add":
            new = {name: value for name, value in new.items() if _AS_NEW.get(name, "") != value}
        changes.append([change.op, change.task["title"], new])
    told: dict[str, Any] = {"changes": sorted(changes, key=str)} if changes else {}
    if answer.listed and not changes:
        told["shows"] = [answer.things[task_id]["title"] for task_id in answer.shown]
    if answer.pending and not changes:
        told["asks"] = answer.pending.intent
    return told


def _wrong(language: str, places: slice) -> Iterator[str]:
    with TemporaryStore() as store:
        player = Player(store, _start(language))
        for line, wanted in list(_CASES[language].items())[places]:
            player.start(_start(language))
            for said in line.split(" >> "):
                answer = player.say(said)
            told = _told(answer, player, agreeing="offers" in wanted)
            if line in _CASES["not_yet"]:
                if told == wanted:
                    yield f"{line}\n    is right now: take it off `not_yet`"
            elif told != wanted:
                yield f"{line}\n    wanted {wanted}\n    got    {told}: {answer.reply[:100]}"


_EACH = 10
"""Every tenth line is played each time: a line takes a tenth of a second of a core."""


@pytest.mark.parametrize("language", ["en", "it"])
def test_what_is_said_in_two_clauses_or_next_comes_to_what_is_meant(language: str) -> None:
    wrong = list(_wrong(language, slice(0, None, _EACH)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough(
    "tests/assistant/test_follow_ups.py::test_what_is_said_in_two_clauses_or_next_comes_to_what_is_meant"
)
@pytest.mark.parametrize("first", range(1, _EACH))
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_other_lines_come_to_what_is_meant(language: str, first: int) -> None:
    wrong = list(_wrong(language, slice(first, None, _EACH)))
    assert not wrong, "\n".join(wrong)
