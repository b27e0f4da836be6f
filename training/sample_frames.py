"""Sentences made from a policy's own frames, so that every way of asking is learned, also where the
public data has none (updates, most of Italian). Deterministic: the same policy gives the same sentences."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.policy.loading import Policy
from engine.policy.patterns import Node, compile_pattern


def sample_frames(
    policy: Policy, fillers: dict[str, Sequence[str]], each: int, seed: int = 7
) -> list[tuple[str, str, str]]:
    """(sentence, intent, the target that it names) of `each` pattern, slots filled from `fillers`."""
    chooser = random.Random(seed)  # noqa: S311 - nothing secret
    sentences: list[tuple[str, str, str]] = []
    for frame in policy.frames:
        for pattern in frame.patterns:
            nodes = compile_pattern(pattern)
            # Weak frames live by the words of their objects, so they need more of them.
            texts: dict[str, str] = {}
            for _ in range(each * (4 if frame.weak else 1)):
                named: dict[str, str] = {}
                text = _fill(nodes, policy, fillers, chooser, named)
                texts[text] = named.get("target") or named.get("search", "")
            sentences += [
                (_dress(text, policy, chooser), frame.intent, target) for text, target in sorted(texts.items()) if text
            ]
    return sentences


def _fill(
    nodes: tuple[Node, ...],
    policy: Policy,
    fillers: dict[str, Sequence[str]],
    chooser: random.Random,
    named: dict[str, str],
) -> str:
    words: list[str] = []
    for node in nodes:
        if node.kind == "word":
            words.append(node.value)
        elif node.kind == "class":
            words.append(chooser.choice(policy.words[node.value]))
        elif node.kind == "options" and not (node.optional and chooser.random() < 0.6):
            words.append(_fill(chooser.choice(node.options), policy, fillers, chooser, named))
        elif node.kind == "slot" and not (node.optional and chooser.random() < 0.5):
            words.append(chooser.choice(fillers.get(node.value) or fillers["title"]))
            named[node.value] = words[-1]
    return " ".join(word for word in words if word)


def _dress(text: str, policy: Policy, chooser: random.Random) -> str:
    if chooser.random() < 0.15:
        text = f"{chooser.choice(policy.words['opener'])} {text}"
    if chooser.random() < 0.1:
        text = f"{text} {chooser.choice(policy.words['closer'])}"
    return text
