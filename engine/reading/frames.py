"""Which ways of asking a request fits. Frames that begin inside another's slot do not count:
in "mark delete old backups as complete" the deleting is part of a title."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from engine.decision import Reason
from engine.policy.binding import places
from engine.policy.matching import accept_any
from engine.policy.patterns import GAP, Scene, Slots
from engine.policy.values import Frame, Guard, Policy

_UNANCHORED_LIMIT = 120
"""Frames are looked for in the first words only: nobody asks for a task after two paragraphs."""


class FrameMatch(NamedTuple):
    frame: Frame
    start: int
    end: int
    slots: Slots

    @property
    def carrier_length(self) -> int:
        """How many words the frame itself accounts for, its slots left out."""
        return self.end - self.start - sum([end - start for _, start, end in self.slots])

    def slot(self, name: str) -> tuple[int, int] | None:
        for slot, start, end in self.slots:
            if slot == name and end > start:
                return start, end
        return None

    def explained(self, scene: Scene) -> set[int]:
        """The places of words that are the user's own (in a slot), or belong to a frame that speaks for itself
        or to the polite words around it."""
        places = set(scene.quoted)
        if self.frame.clear:
            places.update(range(self.start, self.end))
            places.difference_update(*[range(start, end) for name, start, end in self.slots if name == GAP])
            places.update(scene.quoted, range(self.start if self.start <= scene.opening else 0))
            places.update(range(min(scene.ends), scene.stop))
        # What is in a slot is the user's own.
        return places.union(*[range(start, end) for name, start, end in self.slots if name != GAP])

    def covered(self) -> set[int]:
        """The places inside slots."""
        return {place for name, start, end in self.slots if name != GAP for place in range(start, end)}

    def covers(self, place: int) -> bool:
        for name, start, end in self.slots:  # noqa: SIM110 - asked often, and a loop is quicker
            if start <= place < end and name != GAP:
                return True
        return False


def make_scene(
    words: tuple[str, ...], sentence_starts: frozenset[int], policy: Policy, quoted: frozenset[int] = frozenset()
) -> Scene:
    """The request with the places where it may be said to begin and to end, frills aside."""
    lexicon = policy.lexicon
    opening = _after_openers({0}, words, policy)
    starts = opening
    if len(sentence_starts) > 1 or 0 not in sentence_starts:
        starts = opening | _after_openers({place for place in sentence_starts if place < len(words)}, words, policy)
    ends = {len(words)}
    closers, present = lexicon.by_class.get("closer", {}), frozenset(words)
    if not present.isdisjoint(closers):
        for place in range(len(words) - 1, max(0, len(words) - 8) - 1, -1):
            if words[place] in closers and any(end in ends for end in lexicon.ends("closer", words, place)):
                ends.add(place)
    scene = Scene(words, lexicon, frozenset(starts), frozenset(ends), len(words), present, quoted, max(opening))
    if lexicon.noted is not None:
        lexicon.noted.append(scene)
    return scene


def _after_openers(starts: set[int], words: tuple[str, ...], policy: Policy) -> set[int]:
    """The places themselves and those after any polite words that follow them."""
    reached, waiting = set(starts), list(starts)
    while waiting:
        for end in policy.lexicon.ends("opener", words, waiting.pop()):
            if end not in reached:
                reached.add(end)
                waiting.append(end)
    return reached


def find_frames(scene: Scene, policy: Policy) -> tuple[FrameMatch, ...]:
    """The frames that fit, the one that reads the request best first."""
    found = _every_frame(scene, policy)
    if len(found) < 2:
        return found
    standing = found
    if found[0].start < found[-1].start:  # else none begins inside another
        standing = tuple([match for match in found if not any(_swallows(other, match) for other in found)])
    return tuple(sorted(standing, key=_rank))


def _every_frame(scene: Scene, policy: Policy) -> tuple[FrameMatch, ...]:
    index, patterns, conditional = policy.frame_index, policy.frame_patterns, policy.conditional_patterns
    matches: list[FrameMatch] = []
    possible = index.possible(scene.present)
    inside, starts, by_first = possible & index.anywhere, scene.starts, index.by_first
    for place, word in enumerate(scene.words[:_UNANCHORED_LIMIT] if possible else ()):
        here = by_first.get(word, 0)
        here = (here | index.with_any_first) & possible if place in starts else here & inside
        if not here or place in scene.quoted:
            continue
        seen: set[str] = set()
        for which in places(here):
            frame, pattern = patterns[which]
            if frame.id in seen:
                continue
            accept = partial(_fits, frame, scene, policy, place) if conditional >> which & 1 else accept_any
            found = pattern.match(scene, place, (), accept)
            if found:
                seen.add(frame.id)
                matches.append(FrameMatch(frame, place, *found))
    return tuple(matches)


def _fits(frame: Frame, scene: Scene, policy: Policy, start: int, end: int, slots: Slots) -> bool:
    if frame.unless and any(frame.unless in policy.word_classes.get(word, ()) for word in scene.words[start:end]):
        return False
    return _slots_fit(slots, scene, policy) and not _runs_past_number(slots, scene, policy)


def _runs_past_number(slots: Slots, scene: Scene, policy: Policy) -> bool:
    """In "title of #14 to book train to Rome" the target is #14, and all that follows is the new title."""
    renaming = policy.catalogue.renaming
    renames = any(name in renaming for name, _, _ in slots)
    return renames and any(
        name == "target" and end - start > 1 and scene.words[start][0] == "#" and scene.words[start][1:].isdigit()
        for name, start, end in slots
    )


def _slots_fit(slots: Slots, scene: Scene, policy: Policy) -> bool:
    """A slot may need a word of some class: "move X to Y" moves a task only if Y has to do with dates."""
    for name, start, end in slots:
        needed = policy.slot_needs.get(name)
        if needed and end > start and _words_for(needed, scene, policy).isdisjoint(scene.words[start:end]):
            return False
    return True


def _words_for(needed: frozenset[str], scene: Scene, policy: Policy) -> frozenset[str]:
    """The words of the message that such a slot may need. Kept with it: a long one is matched thousands of times."""
    found = scene.fitting.get(needed)
    if found is None:
        classes = policy.word_classes
        found = scene.fitting[needed] = frozenset(
            [word for word in scene.words if word[0].isdigit() or needed & classes.get(word, frozenset())]
        )
    return found


def _swallows(outer: FrameMatch, inner: FrameMatch) -> bool:
    return outer.start < inner.start and outer.covers(inner.start) and (not outer.frame.weak or inner.frame.weak)


def _rank(match: FrameMatch) -> tuple[bool, int, int]:
    """1. frames that speak for themselves, 2. the earlier one, 3. the one that explains more words."""
    return match.frame.weak, match.start, -match.carrier_length


def find_guard(scene: Scene, policy: Policy, primary: FrameMatch | None, asks: bool) -> tuple[Reason, int, int] | None:
    """A reason to do nothing, with the words that give it (from, to)."""
    for which in places(policy.guard_index.possible(scene.present)):
        guard, pattern = policy.guard_patterns[which]
        if not _applies(guard, primary, asks):
            continue
        for place in sorted(scene.starts):
            found = pattern.match(scene, place, (), accept_any)
            # "don't let me forget to ..." is a frame of its own and no negation.
            if not found or (primary and primary.start <= place and guard.reason is Reason.NEGATED):
                continue
            if guard.reason is Reason.HYPOTHETICAL and scene.lexicon.ends("opener", scene.words, place):
                continue  # "if you can, move …" is polite and supposes nothing
            # "Good, well done": polite words before it change nothing.
            if primary is None or place <= max(primary.start, scene.opening):
                rest = next((start for name, start, _ in found[1] if name != GAP), scene.stop)
                return guard.reason, place, max(place + 1, rest)
    return None


def _applies(guard: Guard, primary: FrameMatch | None, asks: bool) -> bool:
    if guard.asked and not asks:
        return False
    return not guard.frames or (primary is not None and primary.frame.id.startswith(guard.frames))
