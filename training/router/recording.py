"""Plays written conversations once with both lanes, and writes down what each decided and how each way of going on from
there would have been scored. The router is fitted on that, without asking any model again.

Every turn stands in the conversation as it should have gone: where the engine is not right, the store is put in step.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from assistant.play.player import Player
from assistant.turn_values import Lanes
from db.temporary import TemporaryStore
from domains.loading import load_domain
from engine.border.json_form import to_json
from engine.catalogue.facts import Catalogue
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from engine.outcome.router import Kind, WeighedChoice
from engine.outcome.routes import Route
from engine.outcome.two_readings import wanted_changes
from evals.conversations.form import WrittenConversation, WrittenTurn
from evals.conversations.running import PlayedTurn, play_turn
from evals.conversations.scoring import TurnStart
from evals.conversations.stepping import put_in_step
from evals.conversations.titles import Names
from llm.decider import LLMDecider
from llm.locating import make_endpoint
from llm.patience import NeverResting
from llm.trace import LLMTurn

KINDS: tuple[Kind, ...] = get_args(Kind)
_PLAYED: tuple[Kind, ...] = ("llm", "engine_acts")
_AS_QUESTION = {"right": "offered", "wrong": "asked", "unsafe": "nuisance"}
"""What becomes of a verdict where the same is asked first."""
_SEED = 20
_PATIENCE_SECONDS = 600.0


class ForcedRouter:
    """Waits for both lanes, and then goes on as it is told."""

    def __init__(self) -> None:
        self.kind: Kind = "engine"
        self.engine: Decision | None = None
        self.seen: tuple[Decision, Decision] | None = None

    def acts_at_once(self, engine: Decision, _catalogue: Catalogue) -> bool:
        """The LLM is asked also where no weights would wait for it: from where on nobody need wait is learned."""
        self.engine = engine
        return False

    def choose(self, engine: Decision, llm: Decision, _catalogue: Catalogue) -> WeighedChoice:
        self.seen = engine, llm
        return WeighedChoice(self.kind if is_possible(self.kind, engine, llm) else "engine", Route.LLM_NO_HELP)


def is_possible(kind: Kind, engine: Decision, llm: Decision) -> bool:
    if kind == "engine_acts":
        pending = engine.pending
        return engine.action == "clarify" and pending is not None and pending.kind == "confirm" and not engine.undoes
    if kind == "engine_offered":
        whole = engine.pending is None and not engine.undoes
        return engine.action == "execute" and bool(engine.calls) and whole
    if kind == "quiet":
        return engine.action == "clarify"
    if kind == "llm_offered":
        return llm.action == "execute" and bool(llm.calls)
    if kind == "both_offered":
        return all(wanted_changes(each, load_domain().catalogue) for each in (engine, llm))
    return True


class RememberingLLM(LLMDecider):
    """Asks the model once for each question of a turn, however often the turn is played."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self._known: dict[tuple[str, str], LLMTurn] = {}
        self.first: LLMTurn | None = None

    def forget(self) -> None:
        self._known, self.first = {}, None

    def ask(self, text: str, context: Context, *more: Any, rounds: Any = (), **others: Any) -> LLMTurn:
        key = (text, repr([each.calls for each in rounds]))
        if key not in self._known:
            self._known[key] = super().ask(text, context, *more, rounds=rounds, **others)
        self.first = self.first or self._known[key]
        return self._known[key]


@dataclass(frozen=True)
class Recorder:
    player: Player
    router: ForcedRouter
    llm: RememberingLLM

    def record(self, conversation: WrittenConversation) -> Iterator[dict[str, Any]]:
        things = self.player.start(conversation.start("router"))
        names = Names(things, conversation.lang)
        pending = None
        for place, turn in enumerate(conversation.turns, start=1):
            situation = TurnStart(things, pending, names, self.player.domain.catalogue)
            played, verdicts = self._play_all(place, turn, situation)
            engine = self.router.engine or played.answer.decision  # an answer to a question is not weighed
            if engine:
                llm, first = self.router.seen and self.router.seen[1], self.llm.first
                yield {
                    "id": f"{conversation.id}/{place}",
                    "lang": conversation.lang,
                    "kind": turn.kind,
                    "say": turn.say,
                    "engine": to_json(engine),
                    "llm": to_json(llm) if llm else None,
                    "log_probabilities": first.trace.answer.log_probabilities if llm and first else (),
                    "verdicts": verdicts,
                }
            things, pending = played.answer.things, played.answer.pending
            if not played.score.right:
                things = put_in_step(self.player, situation.before, things, turn.expect, names)
            names.follow(things)
            for task_id, titles in played.score.called:
                names.call(task_id, titles)

    def _play_all(self, place: int, turn: WrittenTurn, situation: TurnStart) -> tuple[PlayedTurn, dict[str, str]]:
        """Each way from the same start. The engine's comes last and stays."""
        mark = self.player.mark()
        self.router.seen = self.router.engine = None
        self.llm.forget()
        verdicts: dict[str, str] = {}
        for kind in _PLAYED:
            self.router.kind = kind
            if self.router.engine and (not self.router.seen or not is_possible(kind, *self.router.seen)):
                continue
            verdict = play_turn(self.player, place, turn, situation).score.verdict
            self.player.put_back(mark)
            if self.router.seen and is_possible(kind, *self.router.seen):
                verdicts[kind] = verdict
        self.router.kind = "engine"
        played = play_turn(self.player, place, turn, situation)
        verdicts["engine"] = played.score.verdict
        return played, {**verdicts, **self._derive(verdicts, turn)}

    def _derive(self, verdicts: Mapping[str, str], turn: WrittenTurn) -> dict[str, str]:
        """What need not be played: the same calls as a question, or no answer at all."""
        if self.router.seen is None:
            return {}
        nothing = any(outcome.nothing for outcome in turn.expect.outcomes)
        either = {_AS_QUESTION.get(verdicts[lane], verdicts[lane]) for lane in ("engine", "llm")}
        derived = {
            "both_offered": "offered" if "offered" in either else "nuisance" if nothing else "asked",
            "engine_offered": _AS_QUESTION.get(verdicts["engine"], verdicts["engine"]),
            "llm_offered": _AS_QUESTION.get(verdicts["llm"], verdicts["llm"]),
            "quiet": "right" if nothing else "missed",
        }
        return {kind: verdict for kind, verdict in derived.items() if is_possible(kind, *self.router.seen)}  # type: ignore[arg-type]


def record_turns(conversations: Iterable[WrittenConversation]) -> Iterator[dict[str, Any]]:
    domain = load_domain()
    engine, router = RuleDecider(domain), ForcedRouter()
    endpoint = replace(make_endpoint(), timeout_seconds=_PATIENCE_SECONDS)
    llm = RememberingLLM(endpoint=endpoint, domain=domain, engine=engine, breaker=NeverResting())
    with TemporaryStore() as store:
        recorder = Recorder(Player(store, lanes=Lanes(engine, llm, router=router)), router, llm)
        for conversation in conversations:
            yield from recorder.record(conversation)


def sample(conversations: Iterable[WrittenConversation], turns: int) -> list[WrittenConversation]:
    """Whole conversations, the same every time, until there are so many turns."""
    ordered = sorted(conversations, key=lambda each: zlib.crc32(f"{_SEED} {each.id}".encode()))
    chosen: list[WrittenConversation] = []
    for each in ordered:
        if sum(len(one.turns) for one in chosen) >= turns:
            break
        chosen.append(each)
    return chosen
