"""Lines that nobody would write through `engine decide` and `engine compose`: each costs only its own answer.

python -m benchmarks.fuzz_lines                      20,000 lines for each of the two
python -m benchmarks.fuzz_lines --lines 1000 --seed 7
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import logging
import random
import sys
from collections.abc import Callable
from typing import Any, TextIO

from domains.deciders import load_decider
from domains.loading import load_domain
from engine.__main__ import compose_lines, decide_lines
from engine.border.lines import LENIENT

_SHOWN = 10
_NUMBERS: tuple[Any, ...] = (0, -1, 2**63, 10**400, 0.5, 1e308, float("nan"), float("inf"))
_STRINGS: tuple[Any, ...] = ("", "x", "yes", "unknown", "\ud83d", "a\0b", "x" * 5000, "2026-02-30", "it")
_OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [None], [[]], {"x": None}, {"": ""}, [1, "a"])
_TASK = {"id": "a", "number": 1, "title": "Buy milk", "description": "", "priority": "low", "status": "pending"}
_CALL = {"tool_name": "delete_task", "parameters": {"task_identifier": "a"}, "provenance": {}}
_PENDING = {"kind": "confirm", "intent": "delete_task", "call": _CALL, "question": "Delete it?", "options": ["a"]}
_HISTORY = [
    {"role": "user", "content": "add milk", "tasks": ["a"]},
    {"role": "assistant", "content": "Done.", "tasks": ["a"]},
]
_LINE: dict[str, Any] = {
    "id": 7,
    "text": "yes",
    "tasks": [{**_TASK, "due_date": "2026-03-05"}, {**_TASK, "id": "b", "number": 2, "title": "Call Anna"}],
    "history": _HISTORY,
    "pending": {
        **_PENDING,
        "parameter": "task_identifier",
        "choices": [{"label": "Buy milk", "tool_name": "delete_task", "arguments": {"task_identifier": "a"}}],
        "then": [_CALL],
    },
    "now": "2026-03-04T10:00:00",
    "lang": "en",
}
_MACHINE = {
    "device_id": "m1",
    "device_name": "Lamp",
    "location": "Hall",
    "is_connected": True,
    "commands": [{"name": "turn_on", "parameters": {"level": {"type": "integer", "min": 0, "max": 10}}}],
    "metrics": ["power"],
}
_PAYLOAD: dict[str, Any] = {
    "id": 7,
    "user_message": "turn on the lamp",
    "function_call": {"name": "machine_command_execute", "arguments": {"machine": "lamp"}},
    "machine_context": [_MACHINE],
    "conversation_history": _HISTORY,
    "learned": [{"key": "lamp", "machine_id": "m1", "times": 2}],
    "settings": {"enabled": True, "threshold": 0.9},
    "lang": "en",
}
_INTENTS = ("add_task", "delete_task", "update_task", "list_tasks", "identity_query", "unknown")
_TOOLS = ("add_task", "delete_task", "update_task", "list_tasks", "get_user_info", "no_such_tool")
_TEXTS = ("yes", "no", "the first one", "delete it", "2", "add milk", "what is due?", "sì", "", "turn it on", "at 7")


def make_line(base: dict[str, Any], chance: random.Random) -> bytes:
    """The line with some of its parts replaced, left out or doubled; now and then its bytes are broken, too."""
    data = copy.deepcopy(base)
    for name in ("text", "user_message"):
        if name in data:
            data[name] = chance.choice(_TEXTS)
    if "pending" in data:
        data["pending"] |= {"kind": chance.choice(("confirm", "choose", "fill")), "intent": chance.choice(_INTENTS)}
        data["pending"]["call"]["tool_name"] = chance.choice(_TOOLS)
    for _ in range(chance.randint(1, 3)):
        _spoil(data, chance)
    line = json.dumps(data).encode()
    if chance.random() < 0.1:
        place = chance.randrange(len(line))
        line = line[:place] + chance.choice((b"\xff", b"[" * 3000, b"9" * 5000, b"\\ud800", b"\0")) + line[place:]
    return line.replace(b"\n", b" ")


def _spoil(data: dict[str, Any], chance: random.Random) -> None:
    here: Any = data
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = here[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.75:
            here = inner
            continue
        if chance.random() < 0.2:
            del here[key]
        else:
            here[key] = copy.deepcopy(chance.choice((*_NUMBERS, *_STRINGS, *_OTHERS)))
        return


def run(answer: Callable[[TextIO, TextIO], None], base: dict[str, Any], count: int, seed: int) -> list[str]:
    """What was wrong with the answers."""
    chance = random.Random(seed)
    lines = [make_line(base, chance) for _ in range(count)]
    out = io.StringIO()
    answer(io.TextIOWrapper(io.BytesIO(b"\n".join(lines)), encoding="utf-8", errors=LENIENT, newline="\n"), out)
    answers = out.getvalue().split("\n")[:-1]
    problems = [] if len(answers) == count else [f"{len(answers)} answers to {count} lines"]
    for line, each in zip(lines, answers, strict=False):
        said = json.loads(each.encode())
        if "could not be answered" in said.get("error", ""):
            problems.append(f"{said['error']}: {line[:2000]!r}")
    return problems


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    logging.getLogger("engine.border.lines").setLevel(logging.DEBUG if options.lines == 1 else logging.ERROR)
    domain = load_domain()
    problems = run(
        lambda lines, out: decide_lines(load_decider(), domain, lines, out), _LINE, options.lines, options.seed
    )
    problems += run(compose_lines, _PAYLOAD, options.lines, options.seed)
    print(f"{2 * options.lines:,} lines, {len(problems)} not answered as they should be")
    print("\n".join(problems[:_SHOWN]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
