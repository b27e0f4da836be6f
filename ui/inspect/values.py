"""The arguments of a request as rows for people: each value, who supplied it, and other readings. No streamlit."""

from __future__ import annotations

from domains.catalogues import find_domain_of, find_facts
from engine.dates import find_dates
from engine.dates.match import describe
from engine.dates.words import DateWords
from engine.decision import Context, Slot
from engine.explaining.anatomy import Anatomy, RequestAnatomy
from engine.values import Argument
from ui.call_words import name_argument, show_day, show_value
from ui.inspect.cells import HintedCell
from ui.turns.headline import names_of_values
from ui.words import SOURCE_WORDS

_DATES = ("date", "day_filter")


def argument_rows(
    anatomy: Anatomy, request: RequestAnatomy, context: Context
) -> list[tuple[HintedCell, HintedCell, str]]:
    """Argument, value, source. Values that were found and not used come last, and say so."""
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    slots = {slot.name: slot for slot in outcome.slots}
    facts = find_facts(call.tool_name) if call else None
    known = names_of_values(find_domain_of(call.tool_name), context) if call else {}
    rows = []
    for argument in call.arguments if call else ():
        value = _value(
            argument,
            slots,
            anatomy,
            context,
            is_target=bool(facts and argument.name == facts.target),
            is_date=bool(facts and facts.reads.get(argument.name) in _DATES),
        )
        shown = show_value(call.tool_name, argument.name, value, known) if call else value
        rows.append((_named(argument.name), HintedCell(shown, str(argument.value)), _source(argument, anatomy.text)))
    used = {argument.name for argument in call.arguments} if call else set()
    for slot in outcome.slots:
        if slot.name not in used:
            rows.append((_named(slot.name), HintedCell(show_day(slot.value), str(slot.value)), "your words, not used"))
    return rows


def _named(argument: str) -> HintedCell:
    return HintedCell(name_argument(argument), argument)


def _value(
    argument: Argument, slots: dict[str, Slot], anatomy: Anatomy, context: Context, *, is_target: bool, is_date: bool
) -> str:
    if is_target:
        task = context.tasks.find_by_id(str(argument.value))
        number = f"#{task.number} " if task and anatomy.policy.catalogue.numbered else ""
        return f"{number}{task.title}" if task else str(argument.value)
    slot = slots.get(argument.name)
    if not is_date or slot is None:
        return str(argument.value)
    words = anatomy.policy.date_words
    found = find_dates(anatomy.text, context.now, words)
    read = next((match.words for match in found if match.span == slot.span), describe_date(str(argument.value), words))
    others = [describe_date(value, words) for value in slot.alternatives]
    return f"{read}{'; or ' + ', or '.join(others) if others else ''}"


def _source(argument: Argument, text: str) -> str:
    origin = argument.provenance
    said = f" “{text[origin.span.start : origin.span.end]}”" if origin.span else ""
    return f"{SOURCE_WORDS.get(origin.source, origin.source)}{said}"


def describe_date(value: str, words: DateWords) -> str:
    """ "Fri 20 Nov 2026, 17:00"; what is no ISO date ("this_week") stays as it is."""
    try:
        return describe(value, words)
    except ValueError:
        return value
