"""What the composer is worth on our own cases: `python -m evals.uplift [--sample 200]`.

Each case's first message goes to the model of the settings once. The same answer is then concluded without and with
the composer, so that the two differ in nothing else; the engine decides beside them. A turn is right if it ends in
the right call (tool, arguments, task), or in no call where none is wanted.

Models differ in how much they leave out. So the same is done once more with the arguments of every call taken away:
that is what the composer makes of a model that only ever names the tool.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from domains.deciders import make_engine
from engine.completing.values import ComposerSettings
from engine.decision import Decision
from evals.case import Case
from evals.cases import load_cases
from evals.intervals import mcnemar_exact, wilson
from evals.scorers import score_turn
from evals.situation import begin
from llm.decider import LLMDecider, conclude_again
from llm.trace import LLMTrace

_ASPECTS = ("outcome", "intent", "calls", "arguments", "target")
_LANES = ("LLM alone", "LLM with composer", "tool only", "tool only, composed", "engine")
_SEED = 20260304


@dataclass(frozen=True, slots=True)
class UpliftRow:
    case: Case
    right: tuple[bool, ...]
    """In the order of the lanes."""
    notes: tuple[str, ...]
    """What the composer did with each call of the model."""
    homeless: int
    """Arguments of the composed calls that have no provenance."""


def measure(case: Case, decider: LLMDecider) -> UpliftRow | None:
    """None where the model gave no answer at all: that says nothing about the composer."""
    situation = begin(case)
    text, context = case.turns[0].text, situation.context
    asked = decider.ask(text, context)
    if asked.trace.outcome == "failed":
        return None
    composed = conclude_again(asked.trace, text, context, ComposerSettings())
    bare = _without_arguments(asked.trace)
    decisions = (
        asked.decision,
        composed.decision,
        conclude_again(bare, text, context, ComposerSettings(enabled=False)).decision,
        conclude_again(bare, text, context, ComposerSettings()).decision,
        make_engine().decide(text, context),
    )
    right = tuple(_is_right(case, decision, situation.tasks) for decision in decisions)
    notes = tuple(note.status for note in composed.trace.composer)
    arguments = [argument for call in composed.decision.calls for argument in call.arguments]
    return UpliftRow(case, right, notes, sum(not argument.provenance.source for argument in arguments))


def _without_arguments(trace: LLMTrace) -> LLMTrace:
    calls = tuple(replace(call, arguments="{}") for call in trace.answer.calls)
    return replace(trace, path="tools", answer=replace(trace.answer, calls=calls))


def _is_right(case: Case, decision: Decision, tasks: Sequence[object]) -> bool:
    scores = score_turn(case.turns[0], decision, case, tasks)  # type: ignore[arg-type]
    return all(score.value for score in scores if score.aspect in _ASPECTS)


def report(rows: Sequence[UpliftRow]) -> str:
    lines = []
    for place, lane in enumerate(_LANES):
        rate = wilson(sum(row.right[place] for row in rows), len(rows))
        lines.append(f"{lane:20} {rate.value:6.1%}  ({rate.low:.1%} to {rate.high:.1%}) of {len(rows)} turns")
    gained = sum(row.right[1] and not row.right[0] for row in rows)
    lost = sum(row.right[0] and not row.right[1] for row in rows)
    lines.append(
        f"composer: {gained} turns gained, {lost} lost, p = {mcnemar_exact(gained, lost):.3g} (McNemar, exact)"
    )
    notes = Counter(note for row in rows for note in row.notes)
    lines.append(
        "calls it touched: " + (", ".join(f"{name} {count}" for name, count in sorted(notes.items())) or "none")
    )
    lines.append(f"arguments without provenance: {sum(row.homeless for row in rows)}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, metavar="N", help="this many cases, the same ones in every run")
    parser.add_argument("--lost", action="store_true", help="also list the turns that the composer lost")
    options = parser.parse_args()
    cases = list(load_cases())
    if options.sample and options.sample < len(cases):
        cases = random.Random(_SEED).sample(cases, options.sample)  # noqa: S311 - a sample, not a secret
    decider = LLMDecider()
    rows: list[UpliftRow] = []
    for done, case in enumerate(cases, start=1):
        row = measure(case, decider)
        rows += [row] if row else []
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{done} of {len(cases)}")
    sys.stdout.write(report(rows) + "\n")
    sys.stdout.write(f"no answer from the model: {len(cases) - len(rows)}\n")
    if options.lost:
        for row in rows:
            if row.right[0] and not row.right[1]:
                sys.stdout.write(f"lost: {row.case.id}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
