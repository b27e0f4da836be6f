"""Going on with what was added: "and bread", "and rollers, and a tray", "and the same on Sunday"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.keeping import join_due
from engine.slots.titles import date_spans, inside
from engine.talking.adds.trimming import first_piece, trim
from engine.talking.names.naming import content_words
from engine.talking.values import Heard, Told
from engine.talking.ways.requesting import draft_as, judge_as
from engine.values import Argument, Provenance, ToolCall

_BEGIN_A_THING = frozenset({"det", "title_lead", "chore", "errand", "count", "connector"})
_SAME, _FEW_WORDS = "cue_same", 4


def add_more(
    heard: Heard, place: tuple[int, int], call: ToolCall, facts: ToolFacts, told: Told
) -> tuple[Outcome, ...] | None:
    """One call for each thing that is added to the last one."""
    again = _same_again(place, call, facts, told)
    if again:
        return (judge_as(heard, facts, again, None, told),)
    pieces = _pieces(*place, told)
    if not all(_is_thing(piece, told) for piece in pieces):
        return None
    return tuple(_add_one(heard, piece, facts, told) for piece in pieces)


def _add_one(heard: Heard, place: tuple[int, int], facts: ToolFacts, told: Told) -> Outcome:
    named = trim(told, *first_piece(told, *place))
    others = tuple(each for each in heard.slots if each[0] not in ("object", "title"))
    heard = heard._replace(slots=((facts.argument("name"), *named), *others))
    return judge_as(heard, facts, draft_as(heard, facts, told), None, told)


def _same_again(place: tuple[int, int], call: ToolCall, facts: ToolFacts, told: Told) -> Draft | None:
    """ "and the same on Sunday": the same thing at another time."""
    words, policy, utterance = told.reading.scene.words, told.policy, told.reading.utterance
    name, argument = facts.argument("name"), facts.argument("date")
    spans = date_spans(told.dates, utterance)
    said = [at for at in range(*place) if not inside(utterance.tokens[at], spans)]
    same = any(policy.lexicon.ends(_SAME, words, at) for at in said)
    title, date = call.parameters.get(name), next(iter(told.dates), None)
    if date is None or not same or not title or not argument or content_words(tuple(words[at] for at in said), policy):
        return None
    due = call.parameters.get(argument)
    value = join_due(date, due if isinstance(due, str) else None)
    called = Argument(name, title, Provenance("conversation", None, "as before"))
    given = Argument(argument, value, Provenance("words", date.span))
    return Draft(facts.intent, (called, given), (Slot(argument, value, date.span),))


def _pieces(first: int, last: int, told: Told) -> list[tuple[int, int]]:
    """ "rollers, and a tray": a few words each between commas; else all of it."""
    text, tokens, splitters = told.reading.utterance.text, told.reading.utterance.tokens, told.policy.splitters
    starts = [first]
    for place in range(first + 1, last):
        comma = "," in text[tokens[place - 1].end : tokens[place].start]
        joined = len(starts) > 1 and tokens[place].norm in splitters
        if (comma or joined) and not told.reading.utterance.is_quoted(place):
            starts.append(place)
    cuts = zip(starts, [*starts[1:], last], strict=True)
    pieces = [(start + (tokens[start].norm in splitters), end) for start, end in cuts]
    short = all(0 < end - start <= _FEW_WORDS for start, end in pieces)
    return pieces if short and told.reading.scene.stop == last and not told.dates else [(first, last)]


def _is_thing(place: tuple[int, int], told: Told) -> bool:
    """Whether these words can be a thing to do: "and bread", not "and thanks", "and i am tired", "and how are you",
    "and it snows, too"."""
    policy = told.policy
    words, classes = told.reading.scene.words[slice(*place)], policy.word_classes
    begins = classes.get(words[0], frozenset())
    said = [classes.get(word, frozenset()) for word in words if content_words((word,), policy)]
    if not begins.isdisjoint({"wh", "cue_move"}) or all("cue_chat" in each and "supply" not in each for each in said):
        return False
    sentences = any(place[0] < start < place[1] for start in told.reading.utterance.sentence_starts)
    if sentences or policy.lexicon.ends("there_is", words, 0):  # "there's a boy drawing. Quite good, too"
        return False
    return words[0] not in policy.small_words or not begins.isdisjoint(_BEGIN_A_THING)
