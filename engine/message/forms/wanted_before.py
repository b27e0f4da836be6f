"""Something wanted, then where it goes: "we are out of stamps, put them on my list for Friday", "servono le pile,
segnami di comprarle": what is added is named in the clause before."""

from __future__ import annotations

from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.decision import Context, Factor, Slot
from engine.message.judged import judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import dates_of, weigh_request
from engine.slots.draft import Draft
from engine.slots.titles import clean, date_spans, inside
from engine.talking.basis import Basis, judge_with
from engine.talking.clauses import split_clauses
from engine.talking.moves.noticing import begin
from engine.talking.situation import read_situation
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Span

_SURE = 0.9
_POINTING = frozenset({"pronoun", "points_back", "cue_them", "cue_two"})
_PUTTING = frozenset({"add", "jot_down"})
_CARRIERS = frozenset({"chore", "errand", "add"})
_NONE: frozenset[str] = frozenset()
_BESIDE = frozenset({"opener", "closer", "interjection", "list", "items", "cue_show", "small_word"})


class _PutDown(NamedTuple):
    """What the last clause says of the thing: only where it goes, or also what is to be done with it."""

    verb: str = ""
    may_move: bool = False
    """Whether it may as well be about what was spoken of before: "put it in for Monday"."""


def read_wanted(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The one thing that is added; None where the message is not of this form."""
    facts = policy.catalogue.by_effect.get("add")
    clauses = split_clauses(utterance, policy) if facts and policy.talk.moves and _only_asks_kindly(utterance) else ()
    put = _put_down(clauses[-1], context, policy) if len(clauses) > 1 else None
    if facts is None or put is None:
        return None
    thing = _find_wanted(clauses[:-1], facts, context, policy, surely=put.may_move)
    if thing is None and put.verb:
        thing = _last_named(clauses[-2], facts, policy)
    if thing is None or str(thing.value).isdigit():
        return None
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    if whole.reading.guard:
        return None
    name, date = facts.argument("name"), facts.argument("date")
    named = f"{put.verb} {thing.value}" if put.verb else thing.value
    said = sorted(told.dates, key=lambda each: _distance(each.span, thing.span, clauses))
    slots = [Slot(name, named, thing.span)]
    if date and said:
        slots.append(Slot(date, said[0].value, said[0].span, said[0].alternatives))
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:wanted", "request", _SURE, (Factor("wanted, then put down", _SURE),), 0, len(utterance.tokens))
    outcome = judge_with(basis, facts, Draft(facts.intent, arguments, tuple(slots)), None, told)
    return (JudgedRequest(utterance, whole, outcome),)


def _distance(day: Span, thing: Span | None, clauses: tuple[Utterance, ...]) -> int:
    """The day of the last clause comes before that of the clause which names the thing, and this before any other."""
    if day.start >= clauses[-1].tokens[0].start:
        return 0
    own = next((each for each in reversed(clauses) if thing and each.tokens[0].start <= thing.start), clauses[0])
    return 1 if own.tokens[0].start <= day.start < own.tokens[-1].end else 2


def _only_asks_kindly(utterance: Utterance) -> bool:
    """ "… Would you put that down for me?": at most at its end."""
    return "?" not in utterance.text.rstrip(" ?")


def _puts_down(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether there is a word for adding, and it is no note that is added to: "…, write that in the note"."""
    kinds = [policy.word_classes.get(without_clitic(word, policy) or word, _NONE) for word in words]
    return any(each & _PUTTING for each in kinds) and not any("note_word" in each for each in kinds)


def _puts_onto(words: tuple[str, ...], context: Context, policy: Policy) -> bool:
    """ "…, put that on there": on what was just spoken of, as a note of it."""
    if not policy.lexicon.names(words) >= {"puts_that", "onto_it"} or not read_situation(context, policy).spoken_of:
        return False  # nearly always
    places = range(len(words))
    ends = {end for at in places for end in policy.lexicon.ends("puts_that", words, at)}
    return any(policy.lexicon.ends("onto_it", words, end) for end in ends if end < len(words))


def _put_down(clause: Utterance, context: Context, policy: Policy) -> _PutDown | None:
    """Whether the clause only puts "it" somewhere: a word for adding, what points back, a list, a day."""
    words = clause.words
    if not _puts_down(words, policy) or _puts_onto(words, context, policy):
        return None  # most messages
    dates = begin(clause, weigh_request(clause, context, policy), context, policy).dates
    spans = tuple(each.span for each in dates)
    puts, points, lists, verb = False, False, False, ""
    for place, word in enumerate(words):
        kinds, carried = policy.word_classes.get(word, frozenset()), without_clitic(word, policy)
        if inside(clause.tokens[place], spans):
            continue
        if carried and "add" in policy.word_classes.get(carried, ()):
            puts = points = True  # "segnali", "aggiungilo"
        elif carried and puts and not verb:
            points, verb = True, carried  # "segnami di comprarle"
        elif kinds & _POINTING:
            points = True
        elif "list" in kinds:
            lists = True
        elif kinds & _PUTTING:
            puts = True
        elif word not in policy.small_words and not kinds & _BESIDE:
            return None
    moves = any(policy.word_classes.get(word, _NONE) >= _CHANGES for word in words)  # "make it Monday"
    goes_down = lists or bool(verb) or not (moves or read_situation(context, policy).spoken_of)
    return _PutDown(verb, not goes_down) if puts and points and not (moves and not goes_down) else None


_CHANGES = frozenset({"change", "small_word"})


def without_clitic(word: str, policy: Policy, carriers: frozenset[str] = _CARRIERS) -> str | None:
    """ "comprare" of "comprarle", "segna" of "segnali"; None where the word carries nothing."""
    for clitic, stands_for in policy.clitics.items():
        if stands_for != "thing" or not word.endswith(clitic):
            continue
        carrier = word[: -len(clitic)]
        for full, cut in policy.stems.items():
            whole = carrier[: len(carrier) - len(cut)] + full
            if carrier.endswith(cut) and policy.word_classes.get(whole, frozenset()) & carriers:
                return whole
    return None


def _find_wanted(
    told: tuple[Utterance, ...], facts: ToolFacts, context: Context, policy: Policy, *, surely: bool = False
) -> Slot | None:
    """What the clauses before want: by the last one that wants something, with what an "and" adds to it. `surely`: it
    would be added even if nothing followed."""
    name = facts.argument("name")
    for place in range(len(told) - 1, -1, -1):
        if not any(token.norm.isalpha() for token in told[place].tokens):
            return None  # "…, size 4 and 5": figures belong to what stands before them
        wished = _wished(told[place], facts, context, policy)
        if wished:
            return wished
        read = judge_in_order((told[place],), context, policy)
        outcome = read[0].outcome if len(read) == 1 else None
        slot = next((each for each in outcome.slots if each.name == name), None) if outcome else None
        if outcome is None or outcome.intent != facts.intent or slot is None or slot.span is None:
            continue
        if surely and outcome.action != "execute":
            continue
        end = _end_of_rest(told[place:], policy) or slot.span.end
        span = Span(slot.span.start, max(end, slot.span.end))
        whole = told[place].text[span.start : span.end]
        return Slot(name, whole if end > slot.span.end else slot.value, span)
    return None


def _wished(clause: Utterance, facts: ToolFacts, context: Context, policy: Policy) -> Slot | None:
    """ "I would like to try a stew on Sunday": by itself it asks for nothing, but then it is put down."""
    words = clause.words
    for place in range(min(len(words), _MOST_OPENING)):
        end = max(policy.lexicon.ends("wish_lead", words, place), default=0)
        if end:
            dates = date_spans(dates_of(clause, context, policy), clause)
            named = clean(clause, end, len(words), policy, without=dates)
            return Slot(facts.argument("name"), named.value, named.span) if named else None
        if policy.word_classes.get(words[place], _NONE).isdisjoint(_BESIDE):
            return None
    return None


_MOST_OPENING = 4


def _end_of_rest(clauses: tuple[Utterance, ...], policy: Policy) -> int:
    """Where "… and wet wipes" ends, if that is all that follows; else 0."""
    if len(clauses) != 2 or not clauses[1].tokens:
        return 0
    between = clauses[0].text[clauses[0].tokens[-1].end : clauses[1].tokens[0].start].split()
    return clauses[1].tokens[-1].end if between and between[-1].lower() in policy.splitters else 0


def _last_named(clause: Utterance, facts: ToolFacts, policy: Policy) -> Slot | None:
    """ "the teacher wants a blue smock": the words from the last article on, where it is said what is to be done with
    them."""
    tokens = clause.tokens
    articles = [
        place for place, token in enumerate(tokens[:-1]) if "title_article" in policy.word_classes.get(token.norm, ())
    ]
    if not articles or len(tokens) - articles[-1] > _LONGEST_NAME:
        return None
    named = clean(clause, articles[-1], len(tokens), policy)
    return Slot(facts.argument("name"), named.value, named.span) if named else None


_LONGEST_NAME = 6
