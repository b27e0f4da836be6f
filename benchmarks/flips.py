"""What would flip every one of our cases: `python -m benchmarks.flips`, a part of `make test-long`.

Every flip that is shown really flips, and what should flip a decision is found. A case takes a second or so; the
ordinary tests take fifty of them (`tests/engine/test_flips.py`).
"""

from __future__ import annotations

import argparse
import sys
import time

from domains.deciders import make_engine
from domains.tasks.tools import CATALOGUE
from engine.decision import Decision, Reason
from engine.explaining.flips import find_flips
from engine.explaining.trial import Kind, gist_of
from evals.case import Case
from evals.cases import load_cases
from evals.situation import begin

CERTAIN = 0.99
SECONDS = 120
"""Bounded by its runs alone: a busy machine finds as much as an idle one."""


def find_problem(case: Case) -> str:
    """What is wrong with the flips of this case: one that does not flip, or none where there must be one."""
    situation, text = begin(case), case.turns[0].text
    flips = find_flips(text, situation.context, situation.tasks, make_engine(), seconds=SECONDS)
    before = make_engine().decide(text, situation.context)
    for flip in flips.found:
        after = make_engine(*filter(None, [flip.policy])).decide(flip.text, flip.context)
        if gist_of(after, CATALOGUE) == gist_of(before, CATALOGUE):
            return f"{flip.change}: the decision stays what it is"
        if after != flip.after:
            return f"{flip.change}: another decision than the one that is shown"
        if sum((flip.text != text, flip.context != situation.context, flip.policy is not None)) != 1:
            return f"{flip.change}: more or less than one thing is changed"
    return _kinds_missing({flip.kind for flip in flips.found}, before, text)


def _kinds_missing(found: set[Kind], before: Decision, text: str) -> str:
    """Whatever is read as a request hangs on its words; what is done at once, also on the numbers of the policy, or on
    what is known of talking."""
    if before.reason is Reason.TOO_LONG:
        return ""  # one word less of twenty-five hundred changes nothing
    if before.action == "reply":
        return "" if found or not any(map(str.isalnum, text)) else "nothing would turn a reply into something else"
    if not found & {"word left out", "word added"}:
        return f"only {sorted(found)} would change a {before.action}"
    if before.intent in CATALOGUE.lists and before.confidence >= CERTAIN:
        return ""  # half a dozen pieces say the same, and no single one of them counts
    if len(found) < 2:
        return f"only {sorted(found)} would change a {before.action}"
    if before.action == "execute" and not found & {"threshold", "weight", "talk"}:
        return "no threshold, no weight and no way of talking would keep it from being done"
    return ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=int, default=1, help="take every so many-th case (1: all)")
    cases = load_cases()[:: parser.parse_args(arguments).step]
    began, wrong = time.process_time(), 0
    for case in cases:
        if problem := find_problem(case):
            wrong += 1
            print(f"{case.id}: {problem}", flush=True)
    print(f"{len(cases):,} cases, {wrong} with a wrong or a missing flip, {time.process_time() - began:,.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
