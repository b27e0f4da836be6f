"""Several requests in one message. "Create a task and show me my list" are two; "buy bread and butter" is one.

A message is cut only before words that ask for something by themselves (a frame that is not weak), and only
if what stands before the cut asks for something too.
"""

from __future__ import annotations

from engine.policy.values import Frame, Policy
from engine.reading.frames import find_frames, make_scene
from engine.text.normalise import Utterance

_MOST_CUTS = 6


def split_requests(utterance: Utterance, policy: Policy) -> tuple[Utterance, ...]:
    cuts = [0]
    for place in _possible_cuts(utterance, policy):
        right = _leading_frame(utterance, place, len(utterance.tokens), policy, at_start=True)
        left = _leading_frame(utterance, cuts[-1], place, policy, at_start=False) if right else None
        # A weak frame is cut off only from another: "add bread and add butter", not "remind me to get up and add salt".
        lists = left and right and left.intent == right.intent and left.intent in policy.catalogue.lists
        # "skip 5 and show the rest" is one list.
        if left and right and not lists and (left.weak or not right.weak):
            cuts.append(place)
    if len(cuts) == 1:
        return (utterance,)
    ends = [*cuts[1:], len(utterance.tokens)]
    return tuple(part(utterance, start, end, policy) for start, end in zip(cuts, ends, strict=True))


def part(utterance: Utterance, start: int, end: int, policy: Policy) -> Utterance:
    """The tokens from `start` to before `end`, joining words at the cut left out; spans stay those of the text."""
    while end > start + 1 and utterance.tokens[end - 1].norm in policy.splitters:
        end -= 1
    while start < end - 1 and utterance.tokens[start].norm in policy.splitters:
        start += 1
    starts = frozenset([place - start for place in utterance.sentence_starts if start <= place < end]) | {0}
    tokens, kept = utterance.tokens[start:end], utterance.readings
    if kept is None or not tokens:
        return Utterance(utterance.text, tokens, utterance.quotes, starts)
    key = ("part", tokens[0].start, tokens[-1].end, starts)
    found = kept.get(key)
    if not isinstance(found, Utterance):
        found = kept[key] = Utterance(utterance.text, tokens, utterance.quotes, starts)
        found.readings = kept
    return found


def _possible_cuts(utterance: Utterance, policy: Policy) -> list[int]:
    text, tokens, splitters = utterance.text, utterance.tokens, policy.splitters
    has_comma = "," in text
    cuts = [
        place
        for place in range(1, len(tokens) - 1)
        if (
            tokens[place].norm in splitters
            or place in utterance.sentence_starts
            or (has_comma and text.startswith(",", tokens[place - 1].end, tokens[place].start))
        )
        and not utterance.is_quoted(place)
    ]
    return cuts[:_MOST_CUTS]


def _leading_frame(utterance: Utterance, start: int, end: int, policy: Policy, *, at_start: bool) -> Frame | None:
    """How this part asks for something; with `at_start`, only if that is what it begins with."""
    piece = part(utterance, start, end, policy)
    scene = make_scene(piece.words, piece.sentence_starts, policy)
    frames = find_frames(scene, policy)
    if not frames or (at_start and (frames[0].start not in scene.starts or scene.stop - frames[0].start < 2)):
        return None
    return frames[0].frame
