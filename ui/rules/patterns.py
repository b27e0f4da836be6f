"""A pattern of a policy in words: what a message has to say for it to fit. The pattern itself belongs in a hint, and in
the editor. No streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from engine.policy.patterns import GAP_LIMIT, Node, PatternError, compile_pattern
from engine.policy.values import Policy
from ui.call_words import name_argument
from ui.rules.words import describe_class

_MAYBE = "perhaps "
_OPTIONS_TOLD = 3
"""Of a choice among many, the first ones say what kind it is."""
_PARTS = {"gap": f"up to {GAP_LIMIT} other words", "start": "first", "end": "then nothing more"}


def tell_pattern(pattern: str, policy: Policy | None = None) -> str:
    """ "first, “i keep forgetting”, the title" for `^ i keep forgetting {title}`."""
    try:
        nodes = compile_pattern(pattern)
    except PatternError:  # the editor says what is wrong with it
        return pattern
    return ", ".join(_tell_together(_tell_all(nodes, policy)))


def _tell_together(parts: Iterable[str]) -> Iterator[str]:
    """What may come twice in a row is said once: “perhaps an article (up to 2 times)” for `[<det>] [<det>]`."""
    for part, same in groupby(parts):
        times = len(list(same))
        yield part if times == 1 else f"{part} (up to {times} times)" if part.startswith(_MAYBE) else f"{part}, {part}"


def name_slot(slot: str) -> str:
    """What stands there: "the title"; of a thing that exists, its name."""
    return "what is meant" if slot == "target" else f"the {name_argument(slot)}"


def _tell_all(nodes: Iterable[Node], policy: Policy | None) -> Iterator[str]:
    """Words that follow each other are one quotation."""
    words: list[str] = []
    for node in nodes:
        if node.kind == "word":
            words.append(node.value)
            continue
        if words:
            yield f"“{' '.join(words)}”"
            words = []
        yield _tell_one(node, policy)
    if words:
        yield f"“{' '.join(words)}”"


def _tell_one(node: Node, policy: Policy | None) -> str:
    if node.kind == "slot":
        return f"{_MAYBE if node.optional else ''}{name_slot(node.value)}"
    if node.kind == "class":
        return describe_class(node.value, policy)
    if node.kind == "options":
        options = [" ".join(_tell_all(option, policy)) for option in node.options]
        more = len(options) - _OPTIONS_TOLD
        shown = options if more <= 1 else [*options[:_OPTIONS_TOLD], f"{more} more"]
        told = " or ".join(shown)
        return f"{_MAYBE}{told}" if node.optional else told
    return _PARTS[node.kind]
