"""The words that a list is asked for by: "show me the tasks for Mill Lane", "what presents are on my list?".

What the way of asking leaves over, and the titles have, is looked for, each in a form that finds it ("presents" finds
"Present for Tom"). Where a number is asked for ("how many boards was it?") and one thing fits, that one is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.outcome.values import Outcome
from engine.slots.filters import leaves_out
from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import begun
from engine.talking.names.naming import content_words, is_chore
from engine.talking.values import Told
from engine.talking.ways.asking import tell
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.values import Argument, Provenance, Task

_MOST, _LOOKED_AT = 3, 12
_FILTERS = ("status_", "due_", "ordinal_")
_OF_LISTS = frozenset({
    "show", "item", "items", "list", "own_list", "quality", "opener", "closer", "courtesy", "interjection",
    "amount_word",
    "level_noun", "level_high",
    "level_low", "level_medium", "wh", "det", "vague", "event", "calendar", "everything",
    "cue_show", "cue_rest", "cue_narrow", "cue_all", "due_none", "done_word", "count", "mention_lead", "cue_ask_next",
    "cue_ask_urgent", "falls_due", "subject", "status_negator", "date_word", "finite", "cue_ask_count", "small_amount",
})  # fmt: skip


def look_for_asked(outcomes: tuple[Outcome, ...], told: Told) -> tuple[Outcome, ...] | None:
    """The same list, of what its words name; None where they name nothing."""
    outcome = outcomes[0] if len(outcomes) == 1 else None
    facts = told.policy.catalogue.by_intent.get(outcome.intent) if outcome else None
    if (
        outcome is None
        or outcome.call is None
        or facts is None
        or facts.effect != "read"
        or not facts.argument("search")
    ):
        return None
    if outcome.action != "execute" or outcome.answer or not facts.argument("search"):
        return None
    given = outcome.call.parameters
    asked = str(given.get(facts.argument("search")) or "")
    numbered = _tell_number(asked, outcome, facts, told) if asked else None
    if numbered:
        return (numbered,)
    found = dict(_more(asked, given, facts, told))
    if not found:
        return None
    kept = tuple(each for each in outcome.call.arguments if each.name not in found)
    span = told.reading.utterance.span(0, len(told.reading.utterance.tokens))
    more = tuple(Argument(name, value, Provenance("words", span)) for name, value in found.items())
    return (outcome._replace(call=replace(outcome.call, arguments=(*kept, *more))),)


def _more(asked: str, given: dict[str, object], facts: ToolFacts, told: Told) -> Iterator[tuple[str, str]]:
    """What is looked for besides."""
    left = () if asked else _left_over(told)
    words = _known_together(left, told) if len(left) <= _MOST else ()
    if words:
        yield facts.argument("search"), " ".join(words)
    state, dated = facts.argument("state_filter"), facts.argument("day_filter") in given
    due = told.policy.lexicon.says("falls_due", told.reading.scene.words)
    if state and state not in given and dated and due and begun(told.context):
        yield state, told.policy.catalogue.states[0]


def _left_over(told: Told) -> tuple[str, ...]:
    """The words that no way of asking for a list explains; none where one of them is in no title. "Which emails
    do I have to send" may have a verb of its own."""
    words, policy, utterance = told.reading.scene.words, told.policy, told.reading.utterance
    spans, beside = date_spans(told.dates, utterance), leaves_out(told.reading.scene, policy)
    explained = set(range(beside, len(words))) if beside else set[int]()
    for place in range(len(words)):
        for name, length in policy.lexicon.beginning((*_OF_LISTS, *_FILTERS), words, place):
            if name in _OF_LISTS or name.startswith(_FILTERS):
                explained.update(range(place, place + length))
    left = [
        word
        for place, word in enumerate(words)
        if place not in explained and word not in policy.small_words and not inside(utterance.tokens[place], spans)
    ]
    known = [word for word in left if _titles_with((word,), told)]
    return tuple(known) if all(word in known or is_chore(word, policy) for word in left) else ()


def _known_together(words: tuple[str, ...], told: Told) -> tuple[str, ...]:
    """The most of these words that one title has, each in a form that finds it."""
    known = [word for word in words if _titles_with((word,), told)]
    while len(known) > 1 and not _titles_with(tuple(known), told):
        known.pop(0)  # "phone calls": the last one says what kind
    return tuple(_form_in_titles(word, told) for word in known)


def _form_in_titles(word: str, told: Told) -> str:
    titles = _titles_with((word,), told)
    whole = any(fold(word) in each for title in titles for each in title)
    return word if whole else stem(fold(word), told.policy)


def _titles_with(words: tuple[str, ...], told: Told) -> list[tuple[str, ...]]:
    """The titles that have a form of each of these words."""
    wanted = content_words(map(fold, words), told.policy)
    asked = " ".join((*words, *wanted))
    tasks = told.context.tasks.candidates(asked, _LOOKED_AT) if wanted else ()
    titles = [title_words(task.title) for task in tasks]
    return [title for title in titles if set(wanted) <= set(content_words(title, told.policy))]


def _tell_number(asked: str, outcome: Outcome, facts: ToolFacts, told: Told) -> Outcome | None:
    """ "how many boards was it", where "Order 20 boards" is the one that fits: it says so itself."""
    words, policy = told.reading.scene.words, told.policy
    if not policy.lexicon.says("asks_amount", words) or policy.lexicon.says("item", words):
        return None
    wanted = set(content_words(map(fold, title_words(asked)), policy))
    tasks = [task for task in told.context.tasks.candidates(asked, _LOOKED_AT) if isinstance(task, Task)]
    fitting = [task for task in tasks if wanted <= set(content_words(title_words(task.title), policy))]
    if len(fitting) != 1 or not any(sign.isdigit() for sign in f"{fitting[0].title} {fitting[0].description}"):
        return None
    search = Argument(facts.argument("search"), fitting[0].title, Provenance("store", None, "the title"))
    call = replace(outcome.call, arguments=(search,)) if outcome.call else None
    return outcome._replace(call=call, answer=tell(fitting[0], "all", told), asks="all", act="ask")
