"""`python -m benchmarks.policy_suggest`: for how many misread messages a suggested edit mends it and breaks nothing.

The messages are the known failures and the failing first turns of the blind conversations, the freshest first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from domains.drafts import PolicyDraft, begin_draft
from domains.loading import TASKS, load_domain
from engine.decider import RuleDecider
from evals.cases import load_cases, load_known_failures
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EffectBase
from evals.effect.probes import Probe, probe_cases, probe_file
from evals.suggesting.command import write_suggestions
from evals.suggesting.misread import Misread, misread_case, misread_conversation
from evals.suggesting.search import suggest

MESSAGES = 100


def misread_cases(decider: RuleDecider) -> Iterator[Misread]:
    known = load_known_failures()
    for case in load_cases():
        if case.id in known and case.domain == TASKS:
            found = misread_case(case, decider)
            if found:
                yield found


def misread_first_turns(decider: RuleDecider, count: int) -> Iterator[Misread]:
    """From the freshest batch on: what was learned from goes right more often."""
    files = sorted((FOLDER / "blind").glob("*.yaml"), key=lambda path: -int("0" + path.stem.partition("_")[2]))
    found = (misread_conversation(each, decider) for each in load_conversations(files))
    return islice((misread for misread in found if misread), count)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policy_suggest", description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--no-conversations", action="store_true", help="do not play the conversations: quicker")
    parser.add_argument("--only", choices=("cases", "first_turns"))
    parser.add_argument("--silent", type=Path, help="messages, one a line, that must stay silent")
    parser.add_argument("--out", type=Path, help="every suggestion as a line of JSON")
    options = parser.parse_args(arguments)
    decider = RuleDecider(load_domain(TASKS))
    cases = [] if options.only == "first_turns" else list(misread_cases(decider))
    if options.only == "cases":
        options.messages = min(options.messages, len(cases))
    messages = [*cases, *misread_first_turns(decider, max(0, options.messages - len(cases)))][: options.messages]
    probes: list[Probe] = [*probe_cases(TASKS)]
    if options.silent:
        lines = options.silent.read_text(encoding="utf-8").splitlines()
        probes += probe_file(lines, options.silent.name, "silent", TASKS)
    if not options.no_conversations:
        probes += probe_conversations()
    bases: dict[str, tuple[PolicyDraft, EffectBase]] = {}
    counts: Counter[str] = Counter()
    with (options.out or Path(os.devnull)).open("w", encoding="utf-8") as out:
        for number, misread in enumerate(messages, start=1):
            if misread.language not in bases:
                begun = begin_draft(TASKS, misread.language)
                bases[misread.language] = begun, EffectBase(probes, begun.policy, TASKS)
            begun, base = bases[misread.language]
            found = suggest(misread, begun, base, conversations=not options.no_conversations)
            verdict = "safe" if found.safe else "mended, not safely" if found.found else "not mended"
            counts[verdict] += 1
            if found.safe:
                counts[f"  by {type(found.safe[0].edit).__name__}"] += 1
            told = found.safe[0].told if found.safe else found.told
            sys.stdout.write(f"{number:>3} {verdict:<18} {found.seconds:5.1f} s  {misread.text[:60]!r}  {told}\n")
            sys.stdout.flush()
            out.write(json.dumps(write_suggestions(found), ensure_ascii=False) + "\n")
            out.flush()
    for verdict, count in counts.most_common():
        sys.stdout.write(f"{count:>4} {verdict}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
