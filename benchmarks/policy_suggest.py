"""`python -m benchmarks.policy_suggest`: for how many misread messages a suggested edit mends it and breaks nothing.

The messages are the known failures and the failing first turns of the blind conversations, the freshest first. Of
each that is mended, five paraphrases (`paraphrases.yaml`, written before any suggestion was seen) are read under the
fix: one that fits its own message alone is worth little.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import yaml

from domains.drafts import PolicyDraft, begin_draft
from domains.loading import TASKS, load_domain
from engine.decider import RuleDecider
from engine.policy.values import Policy
from evals.case import Case
from evals.cases import load_cases, load_known_failures
from evals.conversations.form import WrittenConversation
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EffectBase
from evals.effect.probes import Probe, probe_cases, probe_file
from evals.runner import run_case
from evals.suggesting.command import write_suggestions
from evals.suggesting.misread import Misread, misread_case, misread_conversation
from evals.suggesting.search import suggest

MESSAGES = 100
_LONG = 3600.0
PARAPHRASES = Path(__file__).parent / "paraphrases.yaml"


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


@cache
def paraphrases() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = yaml.safe_load(PARAPHRASES.read_text(encoding="utf-8"))
    return found


@cache
def _cases() -> Mapping[str, Case | WrittenConversation]:
    """What messages come from, by their ids."""
    files = sorted((FOLDER / "blind").glob("*.yaml"))
    conversations = {f"conversation:{each.id}": each for each in load_conversations(files)}
    return {**{case.id: case for case in load_cases()}, **conversations}


def read_reworded(misread: Misread, text: str) -> Callable[[Policy], bool]:
    """Whether the same message in other words goes right, by its own labels."""
    found = _cases()[misread.id]

    def is_right(policy: Policy) -> bool:
        decider = RuleDecider(load_domain(TASKS), policy)
        if isinstance(found, Case):
            turns = [replace(turn, say=text) if turn.text == misread.text else turn for turn in found.turns]
            return run_case(decider, replace(found, turns=tuple(turns))).passed
        first = found.turns[0].model_copy(update={"say": text})
        return misread_conversation(found.model_copy(update={"turns": (first,)}), decider) is None

    return is_right


def count_reworded(misread: Misread, before: Policy, after: Policy) -> tuple[int, int, int]:
    """How many paraphrases there are, how many were read right before, and how many are with the fix."""
    each = [read_reworded(misread, text) for text in paraphrases().get(misread.id, ())]
    return len(each), sum(is_right(before) for is_right in each), sum(is_right(after) for is_right in each)


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
            # As long as it takes: what was not looked at whole is not called safe.
            found = suggest(
                misread, begun, base, conversations=not options.no_conversations, seconds=_LONG, playing=_LONG
            )
            verdict = "safe" if found.safe else "mended, not safely" if found.found else "not mended"
            counts[verdict] += 1
            told, said = found.safe[0].told if found.safe else found.told, (0, 0, 0)
            if found.safe:
                counts[f"  by {type(found.safe[0].edit).__name__}"] += 1
                said = count_reworded(misread, begun.policy, found.safe[0].draft.policy)
                for kind, count in zip(("", " read right before", " read right with the fix"), said, strict=True):
                    counts[f"  paraphrases of these{kind}"] += count
                told += f" [{said[1]} -> {said[2]} of {said[0]} paraphrases]"
            sys.stdout.write(f"{number:>3} {verdict:<18} {found.seconds:5.1f} s  {misread.text[:60]!r}  {told}\n")
            sys.stdout.flush()
            line = {**write_suggestions(found), "paraphrases": said}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
            out.flush()
    for verdict, count in sorted(counts.items()):
        sys.stdout.write(f"{count:>4} {verdict}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
