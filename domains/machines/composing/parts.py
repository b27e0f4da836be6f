"""The answer for one wish, and the ways that lead to it: which machine, with which confidence, on what grounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from domains.machines.composing.locating import Located, Recalled
from domains.machines.composing.marks import Marked
from domains.machines.composing.mentions import Mention
from domains.machines.composing.phrasing import label_machine, say
from domains.machines.composing.wishes import Wish
from domains.machines.memory_fleet import Group, MemoryFleet
from domains.machines.rules import load_rules
from domains.machines.values import Machine
from engine.completing.values import ComposedCall, ComposerSettings, MachineCandidate, Status, Suggestion, Why
from engine.completing.worth import factor
from engine.decision import Factor, Language, Learned
from engine.text.folding import title_words
from engine.values import Argument, Provenance, ToolCall


@dataclass(frozen=True, slots=True)
class Scene:
    """What all wishes of a message share."""

    fleet: MemoryFleet
    marked: Marked
    recalled: Recalled
    language: Language
    settings: ComposerSettings
    learned: tuple[Learned, ...] = ()
    tool: str | None = None
    given: dict[str, Any] = field(default_factory=dict)
    before: dict[str, Any] = field(default_factory=dict)
    """The call's arguments as they came."""


@dataclass(frozen=True, slots=True)
class Part:
    status: Status
    why: Why
    message: str
    call: ComposedCall | None = None
    suggestions: tuple[Suggestion, ...] = ()
    more: int = 0
    confidence: float = 0.0
    ledger: tuple[Factor, ...] = ()
    candidates: tuple[MachineCandidate, ...] = ()
    choice_key: str = ""
    settled: Mapping[str, object] = field(default_factory=dict)
    """For the question about a value: what it is for."""
    offer: ToolCall | None = None


def refuse(why: Why, message: str, candidates: tuple[MachineCandidate, ...] = ()) -> Part:
    return Part("failed", why, message, confidence=factor("none"), candidates=candidates)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One machine, or several of which the user has to choose."""

    machines: tuple[Machine, ...]
    count: int
    confidence: float
    provenance: Provenance
    how: str
    bonus: float = 0.0
    times: int = 0


def choose_machine(
    located: Located,
    able: Group,
    implied: bool,
    key: str,
    scene: Scene,
    *,
    alone: bool = False,
    reads: bool = False,
    every: bool = False,
) -> Chosen:
    """`able`: those of the located that can do it; `implied`: whether what was said singles a machine out by itself;
    `alone`: whether nobody else in the whole fleet could do it; `reads`: whether the call changes nothing;
    `every`: whether all of them are asked for, so that no habit chooses one."""
    count = able.bit_count()
    shown = scene.fleet.pick(able, max(int(load_rules()["candidates_shown"]), scene.settings.max_suggestions))
    if count > 1 and not every:
        learned = _learned(key, shown, scene)
        if learned:
            return learned
    mention = located.mention
    misspelt = mention is not None and all(mark.kind == "misspelt" for mark in mention.marks)
    if count == 1 and misspelt and implied and alone:
        # A slip of the pen, but no other machine could do this anyway.
        return Chosen(shown, count, factor("implied"), located.provenance, "implied")
    if located.level == "any":
        how = "implied" if implied else "only"
        detail = "the only machine that can do this" if implied else "the only machine"
        return Chosen(shown, count, factor(how), Provenance("store", detail=detail), how)
    detail = located.provenance.detail
    if reads and count == 1 and located.level == "keyword" and mention and _is_whole_name(mention, shown[0]):
        return Chosen(shown, count, factor("translated"), located.provenance, "translated")
    if count == 1 and located.group.bit_count() > 1:
        detail = f"{detail}: the only one of them that can do this".removeprefix(": ")
    provenance = Provenance(located.provenance.source, located.provenance.span, detail)
    return Chosen(shown, count, factor(located.level), provenance, located.level)


def _is_whole_name(mention: Mention, machine: Machine) -> bool:
    """Several words, none of them misspelt, as many as the name has: it was said in other words, not half."""
    said = [mark for mark in mention.marks if mark.kind == "device"]
    return len(said) == len(mention.marks) > 1 and len(said) >= len(title_words(machine.name))


def _learned(key: str, shown: tuple[Machine, ...], scene: Scene) -> Chosen | None:
    """The machine that the user chose again and again for these words, if it leads all others by the margin."""
    rules = load_rules()["learning"]
    times = {entry.target_id: entry.times for entry in scene.learned if entry.key == key}
    bonuses = {machine.id: learned_bonus(times.get(machine.id, 0)) for machine in shown}
    best = max(shown, key=lambda machine: bonuses[machine.id])
    runner_up = max(bonus for machine_id, bonus in bonuses.items() if machine_id != best.id)
    if bonuses[best.id] - runner_up < rules["margin"] - 1e-9:
        return None
    detail = f"chosen {times[best.id]} times in a row for these words"
    lifted = min(1.0, factor("partial") + bonuses[best.id])
    provenance = Provenance("learned", detail=detail)
    return Chosen((best,), 1, lifted, provenance, "learned", bonuses[best.id], times[best.id])


def learned_bonus(times: int) -> float:
    """What a choice is worth that was made so often in a row: a step for every repetition, up to the bound."""
    rules = load_rules()["learning"]
    return round(float(min(rules["bound"], max(0, times - 1) * rules["step"])), 4)


def choice_key(tool_name: str, what: str, located: Located) -> str:
    words = " ".join(sorted(located.mention.words)) if located.mention else ""
    return f"{tool_name}|{what}|{words}"


def list_candidates(
    located: Located, able: Group, command: str, lost: str, scene: Scene
) -> tuple[MachineCandidate, ...]:
    """Those in the running, then those that lost and why."""
    fleet, shown = scene.fleet, int(load_rules()["candidates_shown"])
    level = located.level
    worth = factor(level) if level != "any" else factor("several")
    found = [MachineCandidate(machine.id, machine.name, level, worth, command) for machine in fleet.pick(able, shown)]
    unable = fleet.pick(located.group & ~able, max(0, shown - len(found)))
    found += [MachineCandidate(machine.id, machine.name, level, worth, "", lost) for machine in unable]
    for weaker, group in located.mention.weaker if located.mention else ():
        for machine in fleet.pick(group, max(0, shown - len(found))):
            lost_to = f"a better match was found by {level}"
            found.append(MachineCandidate(machine.id, machine.name, weaker, factor(weaker), "", lost_to))
    return tuple(found)


def ask_which(chosen: Chosen, tool_name: str, rest: dict[str, Any], why: Why, message: str, scene: Scene) -> Part:
    """One suggestion a machine, up to the configured number, the connected and the often chosen ones first."""
    ranked = sorted(chosen.machines, key=lambda machine: (not machine.connected, machine.name))
    limit = scene.settings.max_suggestions
    worth = factor("implied") if chosen.how == "only" else chosen.confidence
    suggestions = tuple(
        Suggestion(label_machine(machine, ranked, scene.language), {"device_id": machine.id, **rest}, worth, tool_name)
        for machine in ranked[:limit]
    )
    return Part(
        "needs_clarification",
        why,
        message,
        suggestions=suggestions,
        more=max(0, chosen.count - len(suggestions)),
        confidence=factor("several"),
        ledger=(Factor("several machines", factor("several")),),
    )


def settle(
    tool_name: str, arguments: list[Argument], ledger: list[Factor], label: str, chosen: Chosen, scene: Scene
) -> Part:
    """One way: taken from the threshold on, offered below it."""
    confidence = min(each.amount for each in ledger)
    call = ComposedCall(ToolCall(tool_name, tuple(arguments)), confidence, scene.before)
    if confidence >= scene.settings.threshold:
        why = Why.NOTHING_MISSING if call.call.parameters == scene.before else Why.ONE_WAY
        if chosen.how == "learned":
            why = Why.LEARNED
            label = say(scene.language, "learned", calls=label, machine=chosen.machines[0].name, times=chosen.times)
        return Part("completed", why, label, call, confidence=confidence, ledger=tuple(ledger))
    suggestion = Suggestion(label, call.call.parameters, confidence, tool_name)
    message = say(scene.language, "not_sure_enough", label=label)
    return Part(
        "needs_clarification",
        Why.NOT_SURE_ENOUGH,
        message,
        suggestions=(suggestion,),
        confidence=confidence,
        ledger=tuple(ledger),
        offer=call.call,
    )


def unexplained(wish: Wish, marked: Marked) -> str:
    """Words after the verb, in its clause, that nothing here explains, as said; all others are small talk."""
    verb = next((mark.first for mark in wish.marks if mark.kind in ("actions", "reads", "reads_if", "metrics")), 0)
    clause = marked.clause_of(verb)
    return " ".join(
        marked.said(mark.first, mark.last)
        for mark in wish.marks
        if mark.kind == "unknown" and mark.first > verb and marked.clause_of(mark.first) == clause
    )
