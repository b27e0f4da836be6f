"""All examples about machines, as many of each kind as the options say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from training.adapter.example import Example
from training.adapter.machines.single import SINGLE, make_example, no_call
from training.adapter.machines.talk import TALKS
from training.adapter.machines.voice import Voice
from training.adapter.speaker import Speaker

_NO_CALL = "no_call"


def machine_examples(options: dict[str, Any]) -> Iterator[Example]:
    """The same options give the same examples."""
    for place, language in enumerate(sorted(options["machines"])):
        voice, speaker = Voice(language, options["seed"] + place), Speaker(language, options["seed"] + place)
        for kind, count in options["machines"][language].items():
            made = 0
            while made < count:
                example = _make(kind, voice, speaker)
                if example:
                    made += 1
                    yield example


def _make(kind: str, voice: Voice, speaker: Speaker) -> Example | None:
    if kind in SINGLE:
        return make_example(kind, voice, *SINGLE[kind](voice))
    if kind == _NO_CALL:
        fleet, said, reply = no_call(voice, speaker)
        return make_example(kind, voice, fleet, said, reply=reply)
    fleet, said, context, reply = TALKS[kind](voice, speaker)
    return make_example(kind, voice, fleet, said, context, reply)
