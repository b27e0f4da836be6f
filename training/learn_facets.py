"""Learns what speaks for single questions about a message, beside its move: each is yes or no."""

from __future__ import annotations

from pathlib import Path

from domains.loading import load_domain
from engine.dates import find_dates
from engine.decider import RuleDecider
from evals.conversations.reading import load_conversations
from training.fitting import fit
from training.learn_lists import list_labels
from training.learn_targets import wanted_of
from training.talk_rows import Row, things_of
from training.written import StandingTurn, each_turn

_LEAST_WORTH = 0.06
_FEW, _OF_FEW = 500, 0.1
"""Of so few examples less is believed: by which share of the usual strength."""


def learn_facets(paths: list[Path], decider: RuleDecider, strength: float) -> dict[str, dict[str, float]]:
    """What speaks for a message's giving a note, for its meaning several, and for the list that it asks for."""
    rows: dict[str, list[Row]] = {}
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                labels = {**_change_labels(standing), **list_labels(standing)}
                things = things_of(standing.turn.say, standing.context, decider) if labels else None
                for facet, holds in labels.items() if things else ():
                    rows.setdefault(facet, []).append((things or {}, "yes" if holds else "-", 1.0, path.stem))
    return {facet: _learn_facet(each, strength) for facet, each in rows.items()}


def _change_labels(standing: StandingTurn) -> dict[str, bool]:
    expect, labels = standing.turn.expect, {}
    if (expect.add or expect.set) and standing.turn.kind != "undo":
        labels["note"] = any(each.description for each in (*expect.add, *expect.set))
    due = _due_before(standing)
    if due and expect.add and not _says_when(standing):
        labels["as before"] = all(each.fields.get("due_date") == due for each in expect.add)
    meant = len(wanted_of(standing)[1])
    if meant:
        labels["several"] = meant > 1
    return labels


def _due_before(standing: StandingTurn) -> str | None:
    """When what was just added is due."""
    last = next((each for each in reversed(standing.context.history) if each.calls), None)
    call = last.calls[-1] if last and last.calls[-1].tool_name == "add_task" else None
    return str(call.parameters["due_date"]) if call and call.parameters.get("due_date") else None


def _says_when(standing: StandingTurn) -> bool:
    policy_of = load_domain().policies[standing.conversation.lang]
    return bool(find_dates(standing.turn.say, standing.context.now, policy_of.date_words, in_talk=True))


def _learn_facet(rows: list[Row], strength: float) -> dict[str, float]:
    model, names = fit(rows, strength if len(rows) >= _FEW else strength * _OF_FEW)
    sign = 1 if model.classes_[1] == "yes" else -1
    table = {name: round(sign * float(model.coef_[0, column]), 2) for column, name in enumerate(names)}
    kept = {name: weight for name, weight in table.items() if abs(weight) >= _LEAST_WORTH}
    return {"": round(sign * float(model.intercept_[0]), 2), **kept}
