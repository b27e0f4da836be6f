"""A demo that plays: which scenarios, how far, whether it goes on by itself. Kept in the process, by an id that stands
in the address: a reload, or a second tab, shows the same and goes on where it was. It moves only while somebody looks.
No streamlit."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from db.users import User
from llm.process import keep_once
from ui.demo.pace import PATIENCE_SECONDS, Beat, Move, OnStage, move_on, next_move, patience_after, waited_for
from ui.demo.script import Scenario, ScenarioStep

_MOST_RUNS = 200


@dataclass(frozen=True, slots=True)
class StageScene:
    """A scenario on its stage: the person made for it, and where they speak."""

    actor: User
    conversation_id: str


MakeScene = Callable[[Scenario], StageScene]
Say = Callable[[Scenario, StageScene, str], bool]
"""Says a message of the scene; False: it could not be said."""


@dataclass(slots=True)
class DemoRun:
    scenarios: tuple[Scenario, ...]
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    clock: Callable[[], float] = time.monotonic
    playing: bool = True
    on_its_own: bool = True
    """Whether the next scenario begins by itself; else its score waits for somebody."""
    speed: float = 1.0
    place: int = 0
    """Which scenario."""
    said: int = 0
    """How many of its messages were said."""
    beat: Beat = "coming"
    since: float = 0.0
    """When this beat began, or when it was gone on with."""
    quiet_since: float | None = None
    waited: float = 0.0
    """Seconds by which the show is late."""
    scenes: dict[int, StageScene] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    """Two tabs may look at the same run: each message is said once."""

    def __post_init__(self) -> None:
        self.since = self.clock()

    @property
    def scenario(self) -> Scenario:
        return self.scenarios[self.place]

    @property
    def scene(self) -> StageScene | None:
        return self.scenes.get(self.place)

    @property
    def step(self) -> ScenarioStep | None:
        """The message that is coming, or the one that was said last."""
        at = self.said if self.beat == "coming" else self.said - 1
        return self.scenario.steps[at] if self.beat in ("coming", "said") else None

    @property
    def next_scenario(self) -> Scenario | None:
        return self.scenarios[self.place + 1] if self.place + 1 < len(self.scenarios) else None

    @property
    def moves(self) -> bool:
        """Whether something comes by itself."""
        return self.playing and self.beat != "over" and (self.beat != "scored" or self.on_its_own)

    @property
    def waits_for_somebody(self) -> bool:
        """At the score of a scenario that was chosen alone: nothing plays there that could be paused."""
        return self.beat == "scored" and not self.on_its_own

    def look(self, *, decided: bool, drives: bool = False) -> OnStage:
        """What there is to see now. `decided`: both lanes have; `drives`: the one that has not is who acts."""
        now = self.clock()
        if not decided or self.beat != "said":
            self.quiet_since = None
        elif self.quiet_since is None:
            self.quiet_since = now
        return OnStage(
            self.beat,
            now - self.since,
            self.step,
            steps_left=len(self.scenario.steps) - self.said,
            scenarios_left=len(self.scenarios) - self.place - 1,
            quiet_seconds=None if self.quiet_since is None else now - self.quiet_since,
            drives=drives,
            patience=patience_after(self.waited) if self.on_its_own else PATIENCE_SECONDS,
        )

    def tick(self, stage: OnStage, make_scene: MakeScene, say: Say) -> bool:
        """Go on by itself where that is due. True: something changed."""
        move = next_move(stage, self.speed) if self.moves else None
        if move:
            self.waited += waited_for(stage, self.speed)
        return self._make(move, make_scene, say) if move else False

    def advance(self, stage: OnStage, make_scene: MakeScene, say: Say) -> None:
        """One message further, by hand: from then on it waits."""
        self.playing = False
        move = move_on(stage)
        if move:
            self._make(move, make_scene, say)
            if move == "announce":  # one press, one message
                self._make("say", make_scene, say)

    def _make(self, move: Move, make_scene: MakeScene, say: Say) -> bool:
        if move == "say":
            scene = self.scenes.get(self.place) or make_scene(self.scenario)
            self.scenes[self.place] = scene
            if not say(self.scenario, scene, self.scenario.steps[self.said].say):
                self.playing = False
                return True
            self.said += 1
        elif move == "next":
            self.place, self.said = self.place + 1, 0
        beats: dict[Move, Beat] = {"say": "said", "announce": "coming", "score": "scored", "next": "coming"}
        self._begin(beats.get(move, "over"))
        return True

    def _begin(self, beat: Beat) -> None:
        self.beat, self.since, self.quiet_since = beat, self.clock(), None

    def finish(self) -> None:
        self._begin("over")

    def pause(self) -> None:
        self.playing = False

    def play(self) -> None:
        """What stands on the stage is given its time again: nobody was looking meanwhile."""
        self.playing, self.since, self.quiet_since = True, self.clock(), None

    def go_to(self, place: int) -> None:
        """Another scenario, or the same from its beginning."""
        self.place, self.said = place, 0
        self.scenes.pop(place, None)
        self._begin("coming")


class _Runs:
    def __init__(self) -> None:
        self._lock, self._runs = threading.Lock(), OrderedDict[str, DemoRun]()

    def keep(self, run: DemoRun) -> None:
        with self._lock:
            self._runs[run.id] = run
            while len(self._runs) > _MOST_RUNS:
                self._runs.popitem(last=False)

    def find(self, run_id: str) -> DemoRun | None:
        with self._lock:
            return self._runs.get(run_id)


def keep_run(run: DemoRun) -> None:
    keep_once("demo runs", _Runs).keep(run)


def find_run(run_id: str) -> DemoRun | None:
    """None: it is over, or the workbench was started anew."""
    return keep_once("demo runs", _Runs).find(run_id)
