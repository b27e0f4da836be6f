"""How well the words of a mention fit a title: by the words themselves, else by their letters."""

from __future__ import annotations

from engine.policy.amounts import Amounts
from engine.text.folding import fold
from engine.values import Task


def fit_words(
    asked: tuple[str, ...],
    different: frozenset[str],
    titled: tuple[str, ...],
    amounts: Amounts,
    penalty: float,
    *,
    floor: bool,
) -> tuple[float, str] | None:
    """Exact, then all the words asked for, then the whole title; with `floor` also some words of it.
    `different` are the words asked for, each once."""
    if asked == titled:
        return 1.0 - penalty, "exact"
    if asked and contains(titled, asked):
        return amounts.all_words + amounts.all_words_share * len(asked) / len(titled) - penalty, "partial"
    common = different.intersection(titled)
    if len(titled) > 1 and common.issuperset(titled):
        return amounts.whole_title + amounts.whole_title_share * len(titled) / len(asked) - penalty, "partial"
    shared = 2 * len(common) / (len(asked) + len(titled)) if floor else 0.0
    if floor and shared > amounts.some_words_floor:
        return round(amounts.some_words * shared - penalty, 4), "partial"
    return None


def fit_letters(
    asked: tuple[str, ...], titled: tuple[str, ...], name: str, task: Task, amounts: Amounts, penalty: float
) -> tuple[float, str] | None:
    from rapidfuzz import fuzz  # late: exact titles never need it, and it is slow to import

    likeness = max(fuzz.token_sort_ratio(" ".join(asked), " ".join(titled)), fuzz.ratio(fold(name), fold(task.title)))
    overlap = fuzz.token_set_ratio(" ".join(asked), " ".join(titled)) * amounts.letters_overlap
    best = max(likeness, overlap)
    return (amounts.letters * best / 100 - penalty, "fuzzy") if best >= amounts.letters_floor else None


def contains(titled: tuple[str, ...], asked: tuple[str, ...]) -> bool:
    for word in asked:  # noqa: SIM110 - asked often, and a loop is quicker; most titles fail at the first word
        if word not in titled and not (len(word) > 3 and _begins_one(word, titled)):
            return False
    return True


def _begins_one(beginning: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110 - asked often, and a loop is quicker
        if word.startswith(beginning):
            return True
    return False
