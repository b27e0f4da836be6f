"""The machines' decider: asked and answering like every other, over the machines' own reading."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from domains.composing import read_language
from domains.machines.asking import Scene, compose_message
from domains.machines.composing.phrasing import say
from domains.machines.judging import judge
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Request
from engine.decision import Context, Decision, Reason, Sentence
from engine.domain import UNKNOWN
from engine.text.normalise import TEXT_LIMIT

DECIDER_NAME = "engine"
_FOLDER = Path(__file__).parent


class MachineDecider:
    """Pure: the same text, Context and settings give an equal Decision."""

    def __init__(self, settings: ComposerSettings = DEFAULT_SETTINGS) -> None:
        self._settings = settings

    def decide(self, text: str, context: Context) -> Decision:
        if len(text) > TEXT_LIMIT:
            return self._too_long(text, context)
        scene = Scene(fleet_of(context), context, self._settings)
        return judge(compose_message(text, scene), text, self._settings, load_version())

    def _too_long(self, text: str, context: Context) -> Decision:
        language = read_language(Request(text[:TEXT_LIMIT], history=context.history, language=context.language))
        message = say(language, "too_long", limit=TEXT_LIMIT)
        return Decision(
            DECIDER_NAME,
            "reply",
            UNKNOWN,
            Reason.TOO_LONG,
            confidence=0.0,
            message=message,
            sentences=(Sentence("reply", message),),
            policy_version=load_version(),
            language=language,
        )


def fleet_of(context: Context) -> MemoryFleet:
    """The machines in reach; none where the Context brings something else."""
    return context.tasks.fleet if isinstance(context.tasks, FleetIndex) else MemoryFleet()


@cache
def load_version() -> str:
    """Changes with every word and number that the reading rests on."""
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.rglob("*.yaml")):
        digest.update(path.read_bytes())
    return f"machines-{digest.hexdigest()[:12]}"
