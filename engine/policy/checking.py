"""What must fit together in a policy: classes with the patterns and the code that use them, replies with the tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.catalogue.facts import Catalogue
from engine.catalogue.own_reading import Needs
from engine.policy.classes import is_read, needed_classes, needed_to_talk
from engine.policy.origin import Trail
from engine.policy.rules import classes_named, slots_named
from engine.policy.sections import Report, show
from engine.policy.sentences import also_said, needed_replies, placeholders
from engine.policy.values import Frame, Policy

_MOST_CLASSES, _MOST_WORDS, _MOST_PATTERNS = 1_000, 50_000, 5_000


def check_policy(policy: Policy, report: Report, *, sound: bool) -> None:
    """Everything about a policy that no single section can know. Where a section was not `sound`, the class that
    nothing uses may be used by what could not be read."""
    check_classes(policy, report, sound=sound)
    check_replies(policy, report)
    if policy.catalogue.own:
        policy.catalogue.own.check(policy, report)
    for frame in policy.frames:
        _check_arguments(frame, policy.catalogue, report)
        _check_slots(frame, policy, report)
    for guard_place, guard in enumerate(policy.guards):
        for place, begin in enumerate(guard.frames):
            if not any(frame.id.startswith(begin) for frame in policy.frames):
                report(f"no frame begins with {show(begin)}", ("guards", guard_place, "frames", place))
    said = [each.patterns for each in policy.frames] + [each.patterns for each in policy.guards]
    patterns = sum(map(len, [*said, *(each.patterns for each in policy.ways)]))
    words = sum(map(len, policy.words.values()))
    for much, most, what in (
        (len(policy.words), _MOST_CLASSES, "classes"),
        (words, _MOST_WORDS, "words"),
        (patterns, _MOST_PATTERNS, "patterns"),
    ):
        if much > most:
            report(f"a policy has at most {most} {what}, this one has {much}", ())


def _check_arguments(frame: Frame, catalogue: Catalogue, report: Report) -> None:
    tool = catalogue.by_intent.get(frame.intent)
    known = tool.reads if tool else {}
    for name in frame.sets:
        if name not in known:
            report(f"{frame.intent!r} has no argument {show(name)}", ("frames", frame.id, "sets", name))
    if frame.within and frame.within not in known:
        report(f"{frame.intent!r} has no argument {show(frame.within)}", ("frames", frame.id, "within"))


_BESIDES = frozenset({"rest", "when", "day"})
"""Slots for what is said besides: anything, and words of a date."""


def _check_slots(frame: Frame, policy: Policy, report: Report) -> None:
    """A slot that nobody reads would swallow the user's words: `{titel}`."""
    tool = policy.catalogue.by_intent.get(frame.intent)
    if policy.catalogue.own or tool is None:
        return
    known = _BESIDES.union(tool.reads, ("target",) if tool.target else ())
    for pattern in frame.patterns:
        for slot in sorted(slots_named(pattern) - known):
            path: Trail = ("frames", frame.id, "patterns")
            problem = f"{frame.intent!r} has no argument {show(slot)}, and nothing reads that slot"
            report(problem, (*path, *_place_of(policy.source, path, pattern)))


def check_classes(policy: Policy, report: Report, *, sound: bool) -> None:
    used: set[str] = set()
    for name, path, pattern in _uses(policy):
        used.add(name)
        if name not in policy.reading_words:
            report(f"no class is called {show(name)}", (*path, *_place_of(policy.source, path, pattern)))
    for slot, names in policy.slot_needs.items():
        _check_names(names, policy.words, ("slot_needs", slot), used, report)
    _check_names(policy.tag_order, policy.words, ("tag_order",), used, report)
    for name in sorted(needed_classes(policy.catalogue) - set(policy.words)):
        report(f"the class {name!r} is missing; the engine reads it", ("words", name))
    for name in policy.words if sound else ():
        if name not in used and not is_read(name, policy.catalogue) and f"words.{name}" not in policy.inherited:
            report(f"nothing uses the class {show(name)}", ("words", name))


def check_talk(words: Mapping[str, object], things: Iterable[str], report: Report) -> None:
    """`things`: what the learned moves were weighed by."""
    for name in sorted(needed_to_talk(things) - set(words)):
        report(f"the class {name!r} is missing; the ways of talking need it", ("words", name))


def _check_names(
    names: frozenset[str] | tuple[str, ...], words: Mapping[str, object], path: Trail, used: set[str], report: Report
) -> None:
    used.update(names)
    for name in sorted(set(names) - set(words)):
        report(f"no class is called {show(name)}", path)


def _uses(policy: Policy) -> Iterator[tuple[str, Trail, str]]:
    """Each class that is named, where, and in which pattern."""
    for way in policy.ways:
        for pattern in way.patterns:
            yield from ((name, ("acts", way.id, "patterns"), pattern) for name in classes_named(pattern))
    for frame in policy.frames:
        for pattern in frame.patterns:
            yield from ((name, ("frames", frame.id, "patterns"), pattern) for name in classes_named(pattern))
        if frame.unless:
            yield frame.unless, ("frames", frame.id, "unless"), ""
    for place, guard in enumerate(policy.guards):
        for pattern in guard.patterns:
            yield from ((name, ("guards", place, "patterns"), pattern) for name in classes_named(pattern))


def _place_of(source: Any, path: Trail, pattern: str) -> Trail:
    """Which of the patterns it is: those that could not be read are still counted."""
    for step in path:
        source = source[step]
    return (source.index(pattern),) if pattern else ()


def check_replies(policy: Policy, report: Report) -> None:
    replies, own = policy.replies, policy.catalogue.own
    reasons = (str(guard.reason) for guard in policy.guards)
    needs = needed_replies(policy.catalogue, reasons, talks=bool(policy.ways))
    for name in needs:
        if not replies.get(name):
            report(f"the reply {name!r} is missing", ("replies", name))
    also = also_said(policy.catalogue)
    for name, sentence in replies.items():
        known = needs.get(name) or also.get(name) or (own.find_needs(name) if own else None)
        if known is None and f"replies.{name}" not in policy.inherited:
            report(f"nobody says the reply {show(name)}", ("replies", name))
        elif known and sentence:
            _check_sentence(name, sentence, known, report)


def _check_sentence(name: str, sentence: str, needs: Needs, report: Report) -> None:
    try:
        named = placeholders(sentence)
    except ValueError as error:
        report(f"the reply {name!r} cannot be filled in: {error}", ("replies", name))
        return
    for missing in sorted(needs.must - named):
        report(f"the reply {name!r} lacks its {{{missing}}}", ("replies", name))
    for unknown in sorted(named - needs.may):
        report(f"the reply {name!r} has no {{{unknown}}} to fill in", ("replies", name))
    if needs.words and len(sentence.split()) != needs.words:
        report(f"the reply {name!r} must have {needs.words} words", ("replies", name))
