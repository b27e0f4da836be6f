"""A heading and what stands under it, in one line: "to do tomorrow: buy kibble, clean the bath, ring grandma",
"put down two things, buy kibble and ring grandma"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch, find_dates
from engine.decision import Factor
from engine.outcome.values import Outcome
from engine.policy.values import Frame, Policy
from engine.reading.frames import FrameMatch
from engine.reading.questions import is_question
from engine.slots.draft import Draft, draft
from engine.slots.titles import inside
from engine.talking.adds.cutting import cut_at_chores
from engine.talking.basis import Basis, judge_with
from engine.talking.names.naming import content_words, is_chore
from engine.talking.values import Told
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Span

_HEADS = frozenset({"add", "add_lead", "cue_add", "items", "own_list", "list", "todo_head"})
_LONGEST_HEAD, _MOST = 8, 10
_SURE = 0.9


def each_listed(told: Told) -> tuple[Outcome, ...] | None:
    """What is added; None where there is no heading, or only one thing under it."""
    utterance, policy = told.reading.utterance, told.policy
    facts = policy.catalogue.by_effect.get("add")
    counted = find_counted_head(utterance, policy) if facts else 0
    colon = counted or (_find_colon(told) if facts and ":" in utterance.text else 0)
    if facts is None or not colon or utterance.quotes or is_question(utterance, policy) or not _heads(told, colon):
        return None
    if ":" in utterance.text[utterance.tokens[colon].start :]:
        return None  # "add task: new brochure, description: write it": what follows are its parts
    after = [token.norm for token in utterance.tokens[colon:]]
    if any(policy.lexicon.ends(name, tuple(after), 0) for name in _ORDERS):
        return None  # "they have a new job for me: add translate the leaflet, by Monday": an order of its own
    plain = counted > 0 and "," not in utterance.text[utterance.tokens[colon].start :]
    plain = plain and sum(word in policy.splitters for word in after) == 1  # "two things: buy fish and grease a tin"
    pieces = [
        part for piece in _cut_at_commas(colon, told, at_and=plain) for part in cut_at_chores(*piece, told) or [piece]
    ]
    cut, pieces = len(pieces), _join_nameless(pieces, facts, told)
    if not 2 <= cut <= _MOST or not all(_names_something(piece, told) for piece in pieces):
        return None
    head = utterance.span(0, colon)
    shared = _day_of_head(head, told)
    basis = Basis("move:list", "request", _SURE, (Factor("a list after a colon", _SURE),), 0, len(utterance.tokens))
    drafts = [_draft_one(piece, shared, facts, told) for piece in pieces]
    return tuple(judge_with(basis, facts, each, None, told) for each in drafts)


def _day_of_head(head: Span, told: Told) -> DateMatch | None:
    """The day that the heading tells; an hour of one of the things ("… and ring Bo at one") is that one's alone."""
    if all(each.span.start >= head.end for each in told.dates):
        return None
    text, words = told.reading.utterance.text[: head.end], told.policy.date_words
    return next(iter(find_dates(text, told.context.now, words, in_talk=True)), None)


def find_counted_head(utterance: Utterance, policy: Policy) -> int:
    """Where the things begin that "add two things", "remind me of these" announce; 0 where nothing does."""
    tokens = utterance.tokens
    if _ENDS_HEAD.isdisjoint(utterance.text):
        return 0
    for place in range(2, min(len(tokens) - 1, _LONGEST_HEAD + 1)):
        if not _ENDS_HEAD.isdisjoint(utterance.text[tokens[place - 1].end : tokens[place].start]):
            words = tuple(token.norm for token in tokens[:place])
            adds = not policy.lexicon.names(words).isdisjoint(_ADDS)
            return place if adds and _announces(words, policy) else 0
    return 0


_ENDS_HEAD, _ADDS = frozenset(",:"), frozenset({"add", "add_lead", "cue_add", "remind_me"})
_ORDERS = ("adds_only", "remind_me")
_AMOUNT, _THINGS = "heading_amount", "heading_things"


def _announces(words: tuple[str, ...], policy: Policy) -> bool:
    ends = {end for place in range(len(words)) for end in policy.lexicon.ends(_AMOUNT, words, place)}
    return any(policy.lexicon.ends(_THINGS, words, place) for place in ends if place < len(words))


def _find_colon(told: Told) -> int:
    utterance = told.reading.utterance
    for place in range(1, min(len(utterance.tokens), _LONGEST_HEAD + 1)):
        if ":" in utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]:
            return place
    return 0


def _heads(told: Told, colon: int) -> bool:
    """Whether the words before the colon say that things to do follow, and say little else."""
    words, policy = told.reading.scene.words[:colon], told.policy
    kinds = {name for place in range(colon) for name, _ in policy.lexicon.classes(words, place)}
    return not kinds.isdisjoint(_HEADS) and "note_word" not in kinds and len(content_words(words, policy)) <= _FEW


_FEW = 4


def _cut_at_commas(colon: int, told: Told, *, at_and: bool) -> list[tuple[int, int]]:
    utterance, splitters, words = told.reading.utterance, told.policy.splitters, told.reading.scene.words
    end = len(utterance.tokens)
    starts = [colon]
    for place in range(colon + 1, end):
        between = utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]
        joined = utterance.tokens[place - 1].norm in splitters
        joined = joined and (at_and or not is_chore(words[starts[-1]], told.policy))
        if "," in between or ";" in between or ((at_and or len(starts) > 1) and joined):
            starts.append(place)  # "bread, milk and eggs", but "hang the lights and flags"
    pieces = []
    for first, last in zip(starts, [*starts[1:], end], strict=True):
        while last > first + 1 and utterance.tokens[last - 1].norm in splitters:
            last -= 1
        pieces.append((first, last))
    return pieces


def _names_something(piece: tuple[int, int], told: Told) -> bool:
    """Not ", for tomorrow"."""
    tokens, dated = told.reading.utterance.tokens, tuple(each.span for each in told.dates)
    words = tuple(told.reading.scene.words[place] for place in range(*piece) if not inside(tokens[place], dated))
    return bool(content_words(words, told.policy))


def _is_value(piece: tuple[int, int], told: Told) -> bool:
    """ "…, low, no date": a level, or that there is no day."""
    words, place = told.reading.scene.words[slice(*piece)], 0
    while place < len(words):
        found = [length for name, length in told.policy.lexicon.classes(words, place) if name in _VALUES]
        if not found:
            return False
        place += max(found)
    return True


_VALUES = frozenset({"level_low", "level_medium", "level_high", "level_noun", "due_none", "small_word"})


def _join_nameless(pieces: list[tuple[int, int]], facts: ToolFacts, told: Told) -> list[tuple[int, int]]:
    """ "…: ring Bo, due Friday, high priority": a piece that is all day and level belongs to the one before it."""
    joined: list[tuple[int, int]] = []
    for piece in pieces:
        named = any(slot.name == facts.argument("name") for slot in _draft_one(piece, None, facts, told).slots)
        if (named and not _is_value(piece, told)) or not joined:
            joined.append(piece)
        else:
            joined[-1] = (joined[-1][0], piece[1])
    return joined


def _draft_one(piece: tuple[int, int], shared: DateMatch | None, facts: ToolFacts, told: Told) -> Draft:
    region, name, argument = told.reading.utterance.span(*piece), facts.argument("name"), facts.argument("date")
    dates = tuple(each for each in told.dates if region.start <= each.span.start < region.end)
    lead = FrameMatch(Frame("move:list", facts.intent, ()), 0, piece[1], ((name, *piece),))
    drafted = draft(told.reading._replace(frames=(lead,)), facts.intent, told.policy, dates)
    if shared is None or not argument or any(slot.name == argument for slot in drafted.slots):
        return drafted
    given = Argument(argument, shared.value, Provenance("words", shared.span))
    return drafted._replace(arguments=(*drafted.arguments, given))
