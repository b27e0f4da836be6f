"""The last list with another filter: "only the urgent ones", "and tomorrow?", "the rest"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.filters import find_filters
from engine.slots.titles import date_spans, inside
from engine.talking.lists.remainder import list_rest
from engine.talking.names.naming import content_words
from engine.talking.values import Heard, Told
from engine.talking.ways.requesting import judge_as
from engine.text.folding import fold, title_words
from engine.values import Argument, Provenance


def narrow(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    call = told.situation.list_call
    facts = told.policy.catalogue.by_name.get(call.tool_name) if call else list_tool(told)
    if facts is None:
        return None
    if heard.way.asks == "next":
        drafts = [Draft(facts.intent, arguments) for arguments in list_rest(facts, told)]
        return tuple(judge_as(heard, facts, drafted, None, told) for drafted in drafts)
    before = filters_before(facts, told)
    place = heard.slot("filter", "value", "object")
    slots = read_filters(place, facts, told) if place else ()
    if not slots or _tells_something(slots, told):
        return None
    kept = {
        name: value for name, value in before.items() if value is not None and name not in {each.name for each in slots}
    }
    if heard.way.asks == "other":
        kept = {}
    arguments = (
        *(Argument(name, value, Provenance("conversation", None, "as before")) for name, value in kept.items()),
        *(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots),
    )
    drafted = Draft(facts.intent, arguments, slots)
    return (judge_as(heard, facts, drafted, None, told),)


def filters_before(facts: ToolFacts, told: Told) -> dict[str, object]:
    """What the list before was narrowed by. A question about one thing was no list, and of none nothing is left out:
    then everything is looked through again."""
    call, search = told.situation.list_call, facts.argument("search")
    if call is None or call.tool_name != facts.name or not told.situation.listed:
        return {}
    if len(told.situation.listed) == 1 and search in call.parameters:
        only = told.context.tasks.find_by_id(told.situation.listed[0])
        if only is None or fold(str(call.parameters[search])) == fold(only.title):
            return {}
    amounts = (facts.argument("limit"), facts.argument("offset"))
    return {each.name: each.value for each in call.arguments if each.name not in amounts}


def list_tool(told: Told) -> ToolFacts | None:
    lists = told.policy.catalogue.lists
    return next((tool for tool in told.policy.catalogue.tools if tool.intent in lists), None)


def read_filters(
    place: tuple[int, int], facts: ToolFacts, told: Told, explained: frozenset[int] = frozenset()
) -> tuple[Slot, ...]:
    """What these words leave in a list. Words that are no filter are looked for in the titles, if any title has them.

    `explained`: the places of words that say something else."""
    first, last = place
    utterance, scene, policy = told.reading.utterance, told.reading.scene, told.policy
    spans = date_spans(told.dates, utterance)
    cut = scene.words[first:last]
    region = utterance.span(first, last)
    found = [
        slot
        for slot in find_filters(utterance, scene, policy, facts, None, told.dates)
        if slot.span.start < region.end and slot.span.end > region.start
    ]
    taken = [slot.span for slot in found]
    left = tuple(
        word
        for place_, word in enumerate(cut, first)
        if place_ not in explained
        and not inside(utterance.tokens[place_], (*spans, *taken))
        and not _says_list(word, told)
    )
    search = facts.argument("search")
    if search and not any(slot.name == search for slot in found):
        known = _known_words(left, told)
        if known:
            found.append(Slot(search, " ".join(known), region))
    return tuple(found)


def _known_words(words: tuple[str, ...], told: Told) -> tuple[str, ...]:
    """Those that stand in a title, in a form that finds it: others would leave the list empty."""
    kept: list[str] = []
    for word in words:
        stems = content_words((word,), told.policy)
        titles = [title_words(f"{task.title} {task.description}") for task in told.context.tasks.candidates(word, 3)]
        if stems and any(stems[0] in content_words(title, told.policy) for title in titles):
            whole = any(fold(word) in each for title in titles for each in title)
            kept.append(word if whole else stems[0])  # "bills": what is stored is a bill
    return tuple(kept)


def _tells_something(slots: tuple[Slot, ...], told: Told) -> bool:
    """ "my train is late again": beside the filter there are words that neither a list nor a title has."""
    utterance, scene, policy = told.reading.utterance, told.reading.scene, told.policy
    spans = (*date_spans(told.dates, utterance), *(slot.span for slot in slots))
    names = policy.lexicon.names(scene.words)
    if "?" in utterance.own_text or not names.isdisjoint(_ASKING):
        return False
    left = [
        word
        for place, word in enumerate(scene.words[: len(utterance.tokens)])
        if content_words((word,), policy) and not inside(utterance.tokens[place], spans) and not _says_list(word, told)
    ]
    return any(policy.word_classes.get(word, frozenset()).isdisjoint(_OF_LISTS) for word in left)


_ASKING = frozenset({"show", "item", "items", "list", "own_list"})
_OF_LISTS = frozenset(
    {"cue_narrow", "cue_rest", "level_noun", "level_high", "level_low", "level_medium", "closer", "opener"}
)


def _says_list(word: str, told: Told) -> bool:
    classes = told.policy.word_classes.get(word, frozenset())
    return not classes.isdisjoint({"item", "items", "list", "quality", "det", "mention_lead", "option_word"})
