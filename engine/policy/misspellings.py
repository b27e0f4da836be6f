"""The misspellings of a policy's words: each word with any one of its letters left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def find_variants(phrases: Iterable[str], shortest: float) -> Mapping[str, tuple[str, ...]]:
    """From a word, or what is left of one without a letter, to the words of the phrases that it may come from."""
    words = sorted({word for phrase in phrases for word in phrase.split() if len(word) >= shortest})
    variants: dict[str, list[str]] = {}
    for word in words:
        for variant in {word, *leave_out_each(word)}:
            variants.setdefault(variant, []).append(word)
    return {variant: tuple(known) for variant, known in variants.items()}


def leave_out_each(word: str) -> list[str]:
    return [word[:place] + word[place + 1 :] for place in range(len(word))]
