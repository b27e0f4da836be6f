"""A composition as HTML: the call before and after, the hints on the words, who was in the running, the confidence.

Pure: no streamlit, nothing decided. Everything that came from outside goes through `escape`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from engine.composer.values import ComposedCall, Composition, MachineCandidate
from engine.memory_fleet import MemoryFleet
from engine.values import Argument
from ui.machines.words import LEVEL_WORDS, STATUS_WORDS, describe_hint
from ui.turns.marked_text import Chip, chipped_message
from ui.words import SOURCE_WORDS, WHY_WORDS

Labels = Mapping[str, str]
_SHOWN_CANDIDATES = 12
_TARGETS = ("device", "serial", "misspelt", "described")


def label_ids(composition: Composition, fleet: MemoryFleet | None) -> dict[str, str]:
    """Ids of machines and commands that calls and suggestions name -> what people call them."""
    labels: dict[str, str] = {}
    named = [composed.call.parameters for composed in composition.calls]
    for values in (*named, *(suggestion.value for suggestion in composition.suggestions)):
        machine = fleet.find_by_id(str(values.get("device_id", ""))) if fleet else None
        if machine:
            labels[machine.id] = machine.name
            labels |= {command.id: command.name for command in machine.commands}
    return labels


def verdict_html(composition: Composition) -> str:
    mark = {"completed": "agree", "needs_clarification": "differ", "failed": "silent"}[composition.status]
    code = f"{composition.status}, {composition.why}"
    return (
        f'<p class="tm-verdict" title="{escape(code)}"><span class="tl-verdict tl-{mark}">'
        f"{escape(STATUS_WORDS[composition.status])}</span> {escape(WHY_WORDS[composition.why])}</p>"
    )


def calls_html(composition: Composition, labels: Labels) -> str:
    """Every call, argument by argument: as it came, as it is, and where each value is from."""
    return "".join(_call(composed, labels) for composed in composition.calls)


def _call(composed: ComposedCall, labels: Labels) -> str:
    after = {argument.name: argument for argument in composed.call.arguments}
    names = list(dict.fromkeys((*composed.before, *after)))
    rows = "".join(_row(name, composed.before, after.get(name), labels) for name in names)
    added = ' <span class="tl-chip">asked for in the same breath</span>' if composed.added else ""
    head = "<thead><tr><th>argument</th><th>as it came</th><th>as it runs</th><th>from</th></tr></thead>"
    table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else '<p class="tl-muted">no arguments</p>'
    return f'<div class="tm-call"><code class="tl-tool">{escape(composed.call.tool_name)}</code>{added}{table}</div>'


def _row(name: str, before: Mapping[str, object], argument: Argument | None, labels: Labels) -> str:
    came = _value(before[name], labels) if name in before else '<span class="tl-muted">missing</span>'
    if argument is None:
        return f"<tr><th scope='row'>{escape(name)}</th><td>{came}</td><td class='tl-muted'>left out</td><td></td></tr>"
    origin = argument.provenance
    where = f"letters {origin.span.start} to {origin.span.end} of the message" if origin.span else ""
    hint = ": ".join(part for part in (SOURCE_WORDS[origin.source], origin.detail or where) if part)
    return (
        f"<tr><th scope='row'>{escape(name)}</th><td>{came}</td><td>{_value(argument.value, labels)}</td>"
        f'<td><span class="tl-source" tabindex="0" title="{escape(hint)}">{escape(SOURCE_WORDS[origin.source])}</span>'
        "</td></tr>"
    )


def _value(value: object, labels: Labels) -> str:
    known = labels.get(str(value))
    if known:
        return f'<span title="{escape(str(value))}">{escape(known)}</span>'
    return escape(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def suggestions_html(composition: Composition, labels: Labels) -> str:
    """Each way to complete the call, with the arguments to call again with."""
    rows = "".join(
        f'<tr><td><b>{escape(each.label)}</b></td><td class="tl-number">{each.confidence:.2f}</td>'
        f"<td>{', '.join(f'{escape(name)}: {_value(value, labels)}' for name, value in each.value.items())}</td></tr>"
        for each in composition.suggestions
    )
    return f'<table class="tm-table" aria-label="Suggestions"><tbody>{rows}</tbody></table>'


def hints_html(text: str, composition: Composition) -> str:
    """The message with what each stretch of it means underneath."""
    chips = [
        Chip(hint.span, describe_hint(hint.kind, hint.meaning), "target" if hint.kind in _TARGETS else "value")
        for hint in composition.hints
    ]
    return chipped_message(text, chips)


def candidates_html(candidates: Sequence[MachineCandidate]) -> str:
    """Level by level, those in the running first; who lost says why."""
    if not candidates:
        return '<p class="tl-muted">No machine was in the running.</p>'
    rows = "".join(_candidate(each) for each in candidates[:_SHOWN_CANDIDATES])
    hidden = len(candidates) - _SHOWN_CANDIDATES
    more = f'<p class="tl-muted tl-small">and {hidden} more</p>' if hidden > 0 else ""
    head = "<thead><tr><th>machine</th><th>found</th><th>worth</th><th></th></tr></thead>"
    return f'<table class="tm-table" aria-label="Candidates">{head}<tbody>{rows}</tbody></table>{more}'


def _candidate(candidate: MachineCandidate) -> str:
    note = f"✗ {candidate.lost}" if candidate.lost else f"✓ {candidate.command or 'in the running'}"
    lost = ' class="tm-lost"' if candidate.lost else ""
    return (
        f"<tr{lost}><td>{escape(candidate.label)}</td><td>{escape(LEVEL_WORDS[candidate.level])}</td>"
        f'<td class="tl-number">{candidate.confidence:.2f}</td><td>{escape(note)}</td></tr>'
    )


def ledger_html(composition: Composition, threshold: float) -> str:
    """Each factor as a bar with the threshold across; the lowest is the confidence."""
    if not composition.ledger:
        return ""
    lowest = min(each.amount for each in composition.ledger)
    rows = "".join(
        f"<tr><th scope='row'>{'▸ ' if each.amount == lowest else ''}{escape(each.name)}</th>"
        f"<td>{scale_html(each.amount, threshold)}</td><td class='tl-number'>{each.amount:.2f}</td>"
        f"<td class='tl-muted'>{escape(each.detail)}</td></tr>"
        for each in composition.ledger
    )
    note = (
        f"▸ The lowest is the confidence: {composition.confidence:.2f}. "
        f"From {threshold:.2f} on, marked by the line, the call is completed."
    )
    return (
        f'<table class="tm-table tm-ledger" aria-label="Confidence"><tbody>{rows}</tbody></table>'
        f'<p class="tl-muted tl-small">{note}</p>'
    )


def scale_html(amount: float, threshold: float) -> str:
    low = "" if amount >= threshold else " tm-low"
    return (
        f'<div class="tl-scale{low}" role="img" aria-label="{amount:.2f} of 1, threshold {threshold:.2f}">'
        f'<span class="tl-fill" style="width:{min(1.0, max(0.0, amount)):.0%}"></span>'
        f'<span class="tl-tick" style="left:{min(1.0, max(0.0, threshold)):.0%}"></span></div>'
    )


def steps_html(steps: Sequence[Any]) -> str:
    rows = "".join(f"<li><b>{escape(step.name)}</b> {escape(step.summary) or '–'}</li>" for step in steps)
    return f'<ol class="tm-steps">{rows}</ol>' if rows else ""
