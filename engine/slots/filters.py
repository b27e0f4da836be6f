"""What a list shall show: which state, level and day, words to look for, how many."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date as date_type
from datetime import timedelta

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch, ends_a_stretch
from engine.decision import Slot
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.slots.levels import find_level
from engine.slots.titles import Words, clean, date_spans, find_quoted, inside
from engine.text.normalise import Utterance
from engine.values import DAY_JOINT, OPEN_SIDE, Span

_MOST = 1000
"""Numbers above are no amount of things to show."""


def find_filters(
    utterance: Utterance,
    scene: Scene,
    policy: Policy,
    facts: ToolFacts,
    lead: FrameMatch | None,
    dates: tuple[DateMatch, ...],
) -> tuple[Slot, ...]:
    if not facts.reads:
        return ()
    level = find_level(utterance, scene, policy, facts, None)
    found = [
        *_state(utterance, scene, policy, facts),
        *_day(utterance, scene, policy, facts, dates),
        *_beyond_level(_search(utterance, scene, policy, facts, lead, dates), level, utterance, policy),
        *_amounts(utterance, scene, policy, facts, date_spans(dates, utterance)),
    ]
    if level:
        found.append(Slot(facts.argument("level_filter"), level.value, level.span))
    return tuple({slot.name: slot for slot in reversed(found)}.values())


def _phrases(scene: Scene, names: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    if scene.lexicon.names(scene.words).isdisjoint(names):  # mostly
        return
    for place in range(min(len(scene.words), 80)):
        for name, length in scene.lexicon.among(names, scene.words, place):
            yield name, place, place + length


def _state(utterance: Utterance, scene: Scene, policy: Policy, facts: ToolFacts) -> Iterator[Slot]:
    """By the classes `status_<state>`; of two that are said, the one the signature names later."""
    argument = facts.argument("state_filter")
    states = policy.catalogue.classes_of(facts, "state_filter", "status")
    still_open, settled = policy.catalogue.states
    said = _without_inner(list(_phrases(scene, tuple(states))))
    for name in reversed(tuple(states)):
        for class_name, start, end in said:
            # "tasks to complete" are the open ones.
            if start and states[name] == settled and _negates(scene.words[start - 1], policy):
                yield Slot(argument, still_open, utterance.span(start - 1, end))
                return
            if class_name == name:
                yield Slot(argument, states[name], utterance.span(start, end))
                return


def _without_inner(said: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """ "to be done" is one phrase: the "done" in it says nothing else."""
    return [
        each
        for each in said
        if not any(other[1] <= each[1] and each[2] <= other[2] and other[1:] != each[1:] for other in said)
    ]


def _negates(word: str, policy: Policy) -> bool:
    return "status_negator" in policy.word_classes.get(word, ())


def _day(
    utterance: Utterance, scene: Scene, policy: Policy, facts: ToolFacts, dates: tuple[DateMatch, ...]
) -> Iterator[Slot]:
    """By the classes `<argument>_<word that the tool takes>`, else by a date."""
    argument = facts.argument("day_filter")
    if not argument:
        return
    days = [match for match in dates if match.span in date_spans(dates, utterance) and match.has_day]
    prefix = f"{argument}_"
    named = scene.lexicon.names_beginning(prefix, scene.words)
    up_to = bool(days) and _is_led_by(_UP_TO, days[0], utterance, scene, policy)  # "by today" is what is late, too
    if len({match.value[:10] for match in days}) < 2 and not up_to:  # "today and tomorrow" is more than today
        for name, start, end in _phrases(scene, named):
            span = utterance.span(start, end)
            if any(day.range_end and day.span.start < span.end < day.span.end for day in days):
                continue  # "della settimana" goes on: "… prossima"
            yield Slot(argument, name.removeprefix(prefix), span)
            return
    if days:
        first, last = days[0], days[-1]
        yield Slot(argument, _stretch(first, last, utterance, scene, policy), first.span, first.alternatives)


_UP_TO, _EARLIER, _LATER = "up_to", "earlier_than", "later_than"


def _stretch(first: DateMatch, last: DateMatch, utterance: Utterance, scene: Scene, policy: Policy) -> str:
    """A day, "from … to …" as two, "until …" as all up to it, "after …" as all from the next one on."""
    if last is not first and not first.range_end and first.value[:10] < last.value[:10]:
        return f"{first.value[:10]}{DAY_JOINT}{last.range_end or last.value[:10]}"
    if last is not first and first.range_end and first.range_end < last.value[:10]:  # "for March and for April"
        return f"{first.value[:10]}{DAY_JOINT}{last.range_end or last.value[:10]}"
    day, end = first.value[:10], first.range_end or first.value[:10]  # "before the weekend" ends with Friday
    up_to = _is_led_by(_UP_TO, first, utterance, scene, policy)  # "on or before Friday" is Friday, too
    earlier = not up_to and _is_led_by(_EARLIER, first, utterance, scene, policy)
    if earlier and not ends_a_stretch(first, policy.date_words):
        return f"{OPEN_SIDE}{DAY_JOINT}{_beside(day, -1)}"
    if up_to or earlier:
        return f"{OPEN_SIDE}{DAY_JOINT}{end}"
    if _is_led_by(_LATER, first, utterance, scene, policy):
        return f"{_beside(end, 1)}{DAY_JOINT}{OPEN_SIDE}"
    return f"{day}{DAY_JOINT}{end}" if first.range_end else day


def _is_led_by(name: str, date: DateMatch, utterance: Utterance, scene: Scene, policy: Policy) -> bool:
    tokens, words = utterance.tokens, scene.words
    place = next((each for each, token in enumerate(tokens[: len(words)]) if token.end > date.span.start), 0)
    return any(
        place <= end <= place + 2
        for start in range(max(0, place - _LONGEST_LEAD), place + 1)
        for end in policy.lexicon.ends(name, words, start)
    )


_LONGEST_LEAD = 5
"""Words: "up to and including"."""


def _beside(day: str, days: int) -> str:
    """The day before or after; the same at the end of the calendar."""
    try:
        return (date_type.fromisoformat(day) + timedelta(days)).isoformat()
    except OverflowError:
        return day


def _search(
    utterance: Utterance,
    scene: Scene,
    policy: Policy,
    facts: ToolFacts,
    lead: FrameMatch | None,
    dates: tuple[DateMatch, ...],
) -> Iterator[Slot]:
    """Words to look for: what a frame asks about, or what follows "about"."""
    argument = facts.argument("search")
    if not argument:
        return
    place = lead.slot(argument) if lead else None
    if place is None and lead and lead.frame.within == argument:
        place = _errand_in(lead, scene, policy)
    if place is None:
        about = [end for _, _, end in _phrases(scene, ("about",)) if end < scene.stop]
        place = (about[0], scene.stop) if about else None
    if place:
        place = place[0], min(place[1], leaves_out(scene, policy) or place[1])
        words = find_quoted(utterance, *place) or clean(
            utterance, *place, policy, without=date_spans(dates, utterance), lead="mention_lead", tail="mention_tail"
        )
        if words and not _says_nothing(words.value, policy):
            # The tool looks for so many characters at most; nobody means more.
            most = policy.catalogue.limits.get((facts.name, argument))
            yield Slot(argument, words.value[:most].strip(), words.span)


def leaves_out(scene: Scene, policy: Policy) -> int:
    """Where a list's words end, and what is known already is named: "anything on Saturday besides the party?"; else 0.
    It is shown with the others: who looks for the rest sees that it is the rest."""
    return next((place for place in range(1, scene.stop) if policy.lexicon.ends("except_for", scene.words, place)), 0)


def _beyond_level(found: Iterator[Slot], level: Words | None, utterance: Utterance, policy: Policy) -> Iterator[Slot]:
    """Not the words around a level, which say nothing else: "is there anything of low priority"."""
    for slot in found:
        beside = [
            token.norm
            for token in utterance.tokens
            if inside(token, (slot.span,)) and not (level and inside(token, (level.span,)))
        ]
        over = level is not None and slot.span.start < level.span.end and level.span.start < slot.span.end
        if not over or any(_BESIDE_LEVEL.isdisjoint(policy.word_classes.get(word, ())) for word in beside):
            yield slot


_BESIDE_LEVEL = frozenset({"vague", "closer", "small_word", "item", "items"})


def _says_nothing(words: str, policy: Policy) -> bool:
    """ "anything", and the "now" of "what's on my list for tomorrow now"."""
    return not {"vague", "closer"}.isdisjoint(policy.word_classes.get(words.lower(), ()))


def _errand_in(lead: FrameMatch, scene: Scene, policy: Policy) -> tuple[int, int] | None:
    """ "what do I have to pay": what is looked for begins with that verb."""
    stop, classes = min(lead.end, scene.stop), policy.word_classes
    chores = [at for at in range(lead.start, stop) if not _CHORES.isdisjoint(classes.get(scene.words[at], ()))]
    return (chores[-1], chores[-1] + 1) if chores else None


_CHORES = frozenset({"listed_verb"})


def _amounts(
    utterance: Utterance, scene: Scene, policy: Policy, facts: ToolFacts, dated: tuple[Span, ...]
) -> Iterator[Slot]:
    """ "the first 5 tasks", "show 3 reminders", "skip the first 10"; not "after the 10th"."""
    limit, offset = facts.argument("limit"), facts.argument("offset")
    if not (limit or offset):
        return
    for place in range(scene.stop):
        number = read_number(scene.words[place], policy)
        if number is None or not 1 <= number <= _MOST or inside(utterance.tokens[place], dated):
            continue
        before = scene.words[max(0, place - 3) : place]
        span: Span = utterance.span(place, place + 1)
        classes = policy.word_classes
        if offset and any("skip" in classes.get(word, ()) for word in before):
            yield Slot(offset, number, span)
        elif limit and _counts(before, scene.words[place + 1 : place + 2], policy):
            yield Slot(limit, number, span)


def _counts(before: tuple[str, ...], after: tuple[str, ...], policy: Policy) -> bool:
    classes = policy.word_classes
    introduced = {"ordinal_1", "ordinal_last", "amount_word"}
    return any(introduced & classes.get(word, frozenset()) for word in before) or any(
        "items" in classes.get(word, ()) for word in after
    )


def read_number(word: str, policy: Policy) -> int | None:
    if word.isascii() and word.isdigit() and len(word) < 7:
        return int(word)
    return policy.numbers.get(word)
