"""Which tasks a list request asks for: status, priority, due day, words, how many."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dates import DateMatch
from engine.decision import Slot
from engine.frames import FrameMatch
from engine.normalise import Utterance
from engine.patterns import Scene
from engine.policy_values import Policy
from engine.priorities import find_priority
from engine.titles import clean, date_spans, find_quoted
from engine.tools import LIST_LIMIT
from engine.values import TITLE_LIMIT, Span

_DUE = {"due_today": "today", "due_tomorrow": "tomorrow", "due_week": "this_week"}
_STATUS = ("status_overdue", "status_completed", "status_pending")


def find_filters(
    utterance: Utterance, scene: Scene, policy: Policy, lead: FrameMatch | None, dates: tuple[DateMatch, ...]
) -> tuple[Slot, ...]:
    found = [
        *_status(utterance, scene),
        *_due(utterance, scene, dates),
        *_search(utterance, scene, policy, lead, dates),
        *_amounts(utterance, scene, policy),
    ]
    priority = find_priority(utterance, scene, policy, None)
    if priority:
        found.append(Slot("priority", priority.value, priority.span))
    return tuple({slot.name: slot for slot in reversed(found)}.values())


def _phrases(scene: Scene, names: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    for place in range(min(scene.stop, 80)):
        for name, length in scene.lexicon.classes(scene.words, place):
            if name in names:
                yield name, place, place + length


def _status(utterance: Utterance, scene: Scene) -> Iterator[Slot]:
    said = list(_phrases(scene, _STATUS))
    for name in _STATUS:
        for status, start, end in said:
            # "tasks to complete" are the open ones.
            negated = start and name == "status_completed" and scene.words[start - 1] in ("to", "da", "not", "non")
            if negated:
                yield Slot("filter", "pending", utterance.span(start - 1, end))
                return
            if status == name:
                yield Slot("filter", name.removeprefix("status_"), utterance.span(start, end))
                return


def _due(utterance: Utterance, scene: Scene, dates: tuple[DateMatch, ...]) -> Iterator[Slot]:
    for name, start, end in _phrases(scene, tuple(_DUE)):
        yield Slot("due", _DUE[name], utterance.span(start, end))
        return
    for match in dates:
        # A stretch such as "next month" is no single day: better all tasks than the wrong ones.
        if match.span in date_spans(dates, utterance) and not match.range_end and match.has_day:
            yield Slot("due", match.value[:10], match.span, match.alternatives)
            return


def _search(
    utterance: Utterance, scene: Scene, policy: Policy, lead: FrameMatch | None, dates: tuple[DateMatch, ...]
) -> Iterator[Slot]:
    """Words to look for: what a frame asks about, or what follows "about"."""
    place = lead.slot("search") if lead else None
    if place is None:
        about = [end for _, _, end in _phrases(scene, ("about",)) if end < scene.stop]
        place = (about[0], scene.stop) if about else None
    if place:
        words = find_quoted(utterance, *place) or clean(
            utterance, *place, policy, without=date_spans(dates, utterance), lead="mention_lead", tail="mention_tail"
        )
        vague = {"anything", "something", "any", "everything", "qualcosa", "niente", "tutto"}
        if words and words.value.lower() not in vague:
            # The store looks for so many characters at most; nobody means more.
            yield Slot("search", words.value[:TITLE_LIMIT].strip(), words.span)


def _amounts(utterance: Utterance, scene: Scene, policy: Policy) -> Iterator[Slot]:
    """ "the first 5 tasks", "show 3 reminders", "skip the first 10"."""
    for place in range(scene.stop):
        number = read_number(scene.words[place], policy)
        if number is None or not 1 <= number <= LIST_LIMIT:
            continue
        before = scene.words[max(0, place - 3) : place]
        span: Span = utterance.span(place, place + 1)
        classes = policy.word_classes
        if any("skip" in classes.get(word, ()) for word in before):
            yield Slot("offset", number, span)
        elif _counts_tasks(before, scene.words[place + 1 : place + 2], policy):
            yield Slot("limit", number, span)


def _counts_tasks(before: tuple[str, ...], after: tuple[str, ...], policy: Policy) -> bool:
    classes = policy.word_classes
    introduced = {"ordinal_1", "ordinal_last", "amount_word"}
    return any(introduced & classes.get(word, frozenset()) for word in before) or any(
        "items" in classes.get(word, ()) for word in after
    )


def read_number(word: str, policy: Policy) -> int | None:
    if word.isascii() and word.isdigit() and len(word) < 7:
        return int(word)
    return policy.numbers.get(word)
