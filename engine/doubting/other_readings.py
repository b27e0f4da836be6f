"""How else a message may be read: what was learned from conversations reads it once more, as a whole, and where that
comes to another move, name, task or number of things than what would be done, it speaks against doing it.

What a way of asking says in so many words is done without asking these tables. Where they disagree all the same, the
words were misread more often than elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log
from typing import NamedTuple

from engine.decision import Context, Decision
from engine.doubting.values import DoubtSign
from engine.policy.talk_weights import NOTHING
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.talking.moves.moving import weigh_moves
from engine.talking.moves.noticed import Noticed, holds
from engine.talking.moves.noticing import begin, notice
from engine.talking.names.meant import weigh_tasks
from engine.talking.names.pointing import unexplained
from engine.talking.names.spans import Stretch, find_shares, find_spans
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import ToolCall

_FURTHEST = 3.0
"""Log-odds: nothing learned is surer than that."""
_OTHER_MOVES = (NOTHING, "read", "undo")
_WITHIN_NAMES = ("pronoun", "finite", "wh", "corrector", "negation", "connector", "cue_done", "date_word", "possessive")
_BEGINNING_NAMES = ("chore", "det", "pronoun")
_MOST_DAYS = 3


class _Change(NamedTuple):
    """One call, by what it does to what is stored."""

    call: ToolCall
    effect: str
    name: str
    """The words that something new is called by."""
    target: str | None


def notice_other_readings(
    decision: Decision, utterance: Utterance, context: Context, policy: Policy
) -> Iterator[DoubtSign]:
    weighed = weigh_request(utterance, context, policy)
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    changes = list(_changes(decision, policy))
    yield from _of_moves(changes, noticed)
    yield from _of_names(changes, noticed, policy)
    yield from _of_texts(changes, noticed, policy)
    yield from _of_number(changes, noticed)
    yield from _of_targets(changes, noticed)
    yield from _of_values(changes, noticed, policy)


def _changes(decision: Decision, policy: Policy) -> Iterator[_Change]:
    for call in decision.calls:
        facts = policy.catalogue.by_name.get(call.tool_name)
        if facts is not None:
            new = facts.effect == "add"
            name = str(call.parameters.get(facts.argument("name")) or "") if new else ""
            yield _Change(call, facts.effect, name, None if new else policy.catalogue.target_of(call))


def _likely(share: float) -> float:
    """From 0 for what cannot be to 1 for what is beyond doubt, evenly in log-odds."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    odds = log(share / (1 - share))
    return round((min(max(odds, -_FURTHEST), _FURTHEST) + _FURTHEST) / (2 * _FURTHEST), 3)


def _of_moves(changes: list[_Change], noticed: Noticed) -> Iterator[DoubtSign]:
    weighing = weigh_moves(noticed)
    if weighing is None or not changes:
        return
    moves = noticed.told.policy.talk.moves
    shares = dict(zip(moves, weighing.of, strict=True))
    effects = {change.effect for change in changes}
    least = min(shares.get(effect, 0.0) for effect in effects)
    yield "what it does is unlikely", 1 - _likely(least)
    yield "something else is likelier", float(moves[weighing.order[0]] not in effects)
    for effect in effects:
        yield f"it is unlikely to {effect}", 1 - _likely(shares.get(effect, 0.0))
    for move in _OTHER_MOVES:
        yield f"likely a move: {move}", _likely(shares.get(move, 0.0))


def _of_names(changes: list[_Change], noticed: Noticed, policy: Policy) -> Iterator[DoubtSign]:
    names = [title_words(change.name) for change in changes if change.name]
    if not names:
        return
    tokens, text = noticed.utterance.tokens, noticed.utterance.text
    stretches = find_spans("name", noticed, 0, len(noticed.weighed.reading.scene.words))
    learned = [
        tuple([word for token in tokens[first:last] for word in title_words(text[token.start : token.end])])
        for first, last in stretches
    ]
    yield "a name is cut otherwise", float(any(name not in learned for name in names))
    yield "a name is other words", 1 - min(_share_in_common(name, learned) for name in names)
    yield "more names than changes", float(max(len(learned) - len(names), 0))
    yield "more changes than names", float(max(len(names) - len(learned), 0))
    classes = policy.word_classes
    for name in names:
        for place, word in enumerate(name):
            known = classes.get(word, frozenset())
            yield from ((f"{each} within the name", 1.0) for each in _WITHIN_NAMES if each in known)
            if not place:
                yield from ((f"{each} begins the name", 1.0) for each in _BEGINNING_NAMES if each in known)


def _of_texts(changes: list[_Change], noticed: Noticed, policy: Policy) -> Iterator[DoubtSign]:
    """How likely the words of each name and note are those that were meant."""
    by_name, last = policy.catalogue.by_name, len(noticed.weighed.reading.scene.words)
    said: dict[str, list[tuple[str, ...]]] = {"name": [title_words(each.name) for each in changes if each.name]}
    said["note"] = [
        title_words(str(each.value))
        for change in changes
        for each in change.call.arguments
        if by_name[change.call.tool_name].reads.get(each.name) == "note" and each.provenance.span
    ]
    for kind, texts in said.items():
        if texts:
            name, small = kind == "name", policy.small_words
            core = partial(_without_ends, small) if name else tuple[str, ...]  # a note is taken word for word
            shares = _add_up(find_shares(kind, noticed, 0, last, several=name), noticed, core)
            # What is put together of several stretches has no share: that it is cut otherwise is noticed elsewhere.
            yield f"the {kind} is unlikely", 1 - _likely(min(shares.get(core(text), 1.0) for text in texts))


def _add_up(
    shares: dict[Stretch, float], noticed: Noticed, core: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> dict[tuple[str, ...], float]:
    """By words: "the notary" and "notary" are one name, whichever of them it is cut to."""
    tokens, text = noticed.utterance.tokens, noticed.utterance.text
    written = [title_words(text[token.start : token.end]) for token in tokens]
    likely: dict[tuple[str, ...], float] = {}
    for (first, end), share in shares.items():
        words = core(tuple([word for each in written[first:end] for word in each]))
        likely[words] = likely.get(words, 0.0) + share
    return likely


def _without_ends(small: frozenset[str], words: tuple[str, ...]) -> tuple[str, ...]:
    """Without the small words at both ends."""
    said = [place for place, word in enumerate(words) if word not in small]
    return words[said[0] : said[-1] + 1] if said else words


def _share_in_common(name: tuple[str, ...], others: list[tuple[str, ...]]) -> float:
    said = set(name)
    return max((len(said.intersection(other)) / max(len(said.union(other)), 1) for other in others), default=0.0)


def _of_number(changes: list[_Change], noticed: Noticed) -> Iterator[DoubtSign]:
    several = _likely(holds("several", noticed))
    if len(changes) < 2:
        yield "several may be meant", several
    elif None in (targets := {change.target for change in changes}) or len(targets) < len(changes):
        # Each of another thing are several, whatever else is said of them.
        yield "one may be meant", 1 - several


def _of_targets(changes: list[_Change], noticed: Noticed) -> Iterator[DoubtSign]:
    left = len(unexplained(noticed))
    for change in changes:
        weighed = weigh_tasks(noticed, left, change.effect) if change.target else None
        if weighed is None:
            continue
        own = next((each.share for each in weighed if each.task.id == change.target), 0.0)
        other = max((each.share for each in weighed if each.task.id != change.target), default=0.0)
        yield "the thing is unlikely", 1 - _likely(own)
        yield "another thing is likely", _likely(other)
        yield "another thing is likelier", round(max(other - own, 0.0), 3)


def _of_values(changes: list[_Change], noticed: Noticed, policy: Policy) -> Iterator[DoubtSign]:
    given = [(change, each) for change in changes for each in change.call.arguments]
    spans = [each.provenance.span for _, each in given if each.provenance.span]
    dates = noticed.told.dates
    left = [
        date for date in dates if not any(span.start < date.span.end and date.span.start < span.end for span in spans)
    ]
    yield "days that are not taken", float(min(len(left), _MOST_DAYS))
    yield "days", float(min(len(dates), _MOST_DAYS))
    yield "no day is taken", float(bool(dates) and len(left) == len(dates))
    by_name = policy.catalogue.by_name
    levels = any(by_name[change.call.tool_name].reads.get(each.name) == "level" for change, each in given)
    yield "a level that is not taken", float(bool(noticed.level) and not levels)
    yield "it points back", float(noticed.points)
