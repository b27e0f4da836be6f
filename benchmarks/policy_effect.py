"""`python -m benchmarks.policy_effect`: the effect of edits over 10,000 cases, how long it takes, and that the shortcut
finds what a run over all of them finds.

The cases are those of the project in one language, said in more ways: with polite words around them. Where others keep
the machine busy, the clock says little: the seconds of processors are those of both processes together, and two quiet
cores take half of that.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, product

from domains.drafts import PolicyDraft, begin_draft
from domains.loading import TASKS
from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddSpelling,
    Edit,
    RemovePattern,
    RemovePhrase,
    SetThreshold,
    SetWeight,
    tell_edit,
)
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.policy.values import Policy
from evals.case import Case
from evals.cases import load_cases
from evals.effect.finding import EditEffect, EffectBase, EffectRow
from evals.effect.outlook import EffectOutlook
from evals.effect.probes import probe_case
from evals.progress import Progress

CASES = 10_000
SECONDS = 2.0
_BEFORE = ("", "please ", "hey, ", "ok, ", "could you ", "good morning. ", "right, ")
_SPECIAL = ("misspelt", "item", "opener", "splitter", "function")
"""Classes that are read in ways of their own."""
_SLOTS = ("{title}", "{target}", "{rest}")
_LIMITS = ("act", "read", "margin", "target", "sure_target")
_AFTER = ("", " please", " thanks", " when you can", " for me")


def many_cases(cases: Sequence[Case], count: int) -> Iterator[Case]:
    """So many, each said otherwise."""
    said = product(_BEFORE, _AFTER)
    every = (_say(case, *around) for around in said for case in cases)
    return islice(every, count)


def _say(case: Case, before: str, after: str) -> Case:
    if not before and not after:
        return case
    first, *rest = case.turns
    said = replace(first, say=f"{before}{first.say}{after}")
    return replace(case, id=f"{case.id} {before}…{after}", turns=(said, *rest))


def random_edits(policy: Policy, texts: Sequence[str], seed: int) -> Iterator[Edit]:
    """Edits of every kind, about words that people say, so that most of them touch something."""
    choose = random.Random(seed)

    def words(most: int) -> list[str]:
        said = choose.choice(texts).lower().replace('"', "").split() or ["task"]
        start = choose.randrange(len(said))
        return [word.strip(".,;:!?()“”'") or "task" for word in said[start : start + choose.randint(1, most)]]

    frames = [frame for frame in policy.frames if frame.patterns]
    names = sorted(name for name in policy.words if not name.startswith("hint_"))
    special = [name for name in names if name.startswith("cue_") or name in _SPECIAL]
    observed = sorted(policy.weights.evidence)
    intents = policy.catalogue.intents
    while True:
        frame, name = choose.choice(frames), choose.choice(choose.choice((names, special)))
        phrase = " ".join(words(2))
        yield from (
            AddPhrase(name, phrase),
            RemovePhrase(name, choose.choice(policy.source["words"][name])),
            AddPattern(frame.intent, frame.id, f"{' '.join(words(2))} {choose.choice(_SLOTS)}"),
            AddPattern(frame.intent, f"{frame.id}_new", f"^ {phrase} {{rest?}}", clear=choose.random() < 0.5),
            RemovePattern(frame.intent, frame.id, choose.choice(frame.patterns)),
            AddGuard("not_about_tasks", f"^ {' '.join(words(3))} {{rest?}}"),
            AddSpelling(words(1)[0], choose.choice(policy.words[name]).split()[0]),
            SetThreshold(choose.choice(_LIMITS), choose.randint(30, 95) / 100),
            SetWeight(choose.choice(observed), choose.choice(intents), round(choose.uniform(-4, 4), 2)),
        )


def common_edits(policy: Policy, texts: Sequence[str], most: int) -> Iterator[Edit]:
    """Edits about the words that most messages have: what an index by words alone hardly narrows down."""
    said = Counter(word for text in texts for word in text.lower().split() if word.isalpha())
    frame = next(frame for frame in policy.frames if frame.patterns)
    for word, _ in said.most_common(most):
        yield from (
            AddGuard("not_about_tasks", f"^ {word} {{rest?}}"),
            AddPattern(frame.intent, frame.id, f"{word} {{title}}"),
            AddPhrase("misspelt", word),
            AddPhrase("remind_me", word),
        )


def threshold_edits() -> Iterator[Edit]:
    """Thresholds moved far: much is compared with them."""
    yield from (SetThreshold("read", 0.93), SetThreshold("act", 0.93), SetThreshold("act", 0.5))


def try_edits(begun: PolicyDraft, edits: Iterator[Edit], count: int) -> Iterator[tuple[Edit, PolicyDraft]]:
    """So many drafts; edits that cannot be made, or make no policy, are passed over."""
    found = 0
    for edit in edits:
        if found == count:
            return
        try:
            draft = begun.edit(edit)
        except (EditError, PolicyError):
            continue
        found += 1
        yield edit, draft


class FirstLook(Progress):
    """What was known when the time was up, and what was said of the rest."""

    def __init__(self) -> None:
        super().__init__(0)
        self.rows: list[EffectRow] = []
        self.outlook = EffectOutlook()
        self.seen = 0
        self.more: tuple[int, int] | None = None
        self.late = False
        self._worked = time.process_time()

    def step(self, count: int = 1) -> None:
        super().step(count)
        # Of a processor: the other process works as long on another one, and others may keep both of them busy.
        if not self.late and time.process_time() - self._worked > SECONDS:
            self.late, self.seen, self.more = True, len(self.rows), self.outlook.more

    def is_right(self) -> bool:
        """Whether it came as was said."""
        return self.more is not None and self.more[0] <= len(self.rows) - self.seen <= self.more[1]

    def tell(self) -> str:
        more = f"{self.more[0]} to {self.more[1]}" if self.more else "?"
        return f"  after {SECONDS:.0f} s: {self.seen} of {len(self.rows)} known, {more} more expected"


def worked() -> float:
    """Seconds of processors so far, of this process and of those that it began and that have ended."""
    return sum(os.times()[:4])


def rows_of(effect: EditEffect) -> set[tuple[str, str]]:
    return {(row.probe.id, row.kind) for row in effect.rows}


def find_lost(base: EffectBase, draft: Policy) -> set[tuple[str, str]]:
    """What a run over everything finds and the shortcut does not."""
    return rows_of(base.run_everything(draft)) ^ rows_of(base.find_effect(draft))


def _put_on_top(
    begun: PolicyDraft, texts: Sequence[str], options: argparse.Namespace
) -> Iterator[tuple[Edit, PolicyDraft]]:
    """The widest of the common edits once more, and then others on top of it, as somebody goes on with a draft."""
    if not options.on_top:
        return
    frame = next(frame for frame in begun.policy.frames if frame.patterns)
    draft = begun
    wide = AddPattern(frame.intent, frame.id, "the {title}")
    for edit in chain((wide,), islice(random_edits(begun.policy, texts, options.seed + 1), 9 * options.on_top)):
        try:
            draft = draft.edit(edit)
        except (EditError, PolicyError):
            continue
        yield edit, draft
        if len(draft.edits) > options.on_top:
            return


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policy_effect", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--edits", type=int, default=18)
    parser.add_argument("--whole", type=int, default=3, help="for so many edits, also the run over all cases")
    parser.add_argument("--common", type=int, default=3, help="edits about so many of the commonest words, too")
    parser.add_argument("--thresholds", type=int, default=3, help="so many thresholds moved far, too")
    parser.add_argument("--on-top", type=int, default=4, help="so many edits on top of a wide one, too")
    parser.add_argument("--cold", action="store_true", help="nothing was looked at before the first edit")
    parser.add_argument("--language")
    parser.add_argument("--seed", type=int, default=7)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    cases = [case for case in load_cases() if case.domain == TASKS]
    language = options.language or cases[0].language
    own = [case for case in cases if case.language == language]
    begun = begin_draft(TASKS, language)
    start = time.perf_counter()
    probes = [probe_case(case) for case in many_cases(own, options.cases)]
    base = EffectBase(probes, begun.policy, TASKS)
    sys.stdout.write(f"{len(probes)} cases in {language}, indexed in {time.perf_counter() - start:.1f} s\n")
    if not options.cold:
        start = time.perf_counter()
        base.look_ahead(Progress(0))  # a page does that in the background, in another process
        sys.stdout.write(f"looked at all of them in {time.perf_counter() - start:.1f} s, ")
        base.step_ahead(Progress(0))
        sys.stdout.write(f"and at where thresholds lead to after {time.perf_counter() - start:.1f} s\n")
    texts = [case.turns[0].say for case in own]
    some = try_edits(begun, random_edits(begun.policy, texts, options.seed), options.edits)
    common = try_edits(begun, common_edits(begun.policy, texts, options.common), 4 * options.common)
    limits = try_edits(begun, threshold_edits(), options.thresholds)
    on_top = _put_on_top(begun, texts, options)
    took: list[float] = []
    shares: list[float] = []
    late: list[FirstLook] = []
    lost = 0
    for number, (edit, draft) in enumerate(chain(some, common, limits, on_top)):
        start, before = time.perf_counter(), worked()
        look = FirstLook()
        effect = base.find_effect(draft.policy, progress=look, tell=look.rows.append, outlook=look.outlook)
        took.append(time.perf_counter() - start)
        shares.append((worked() - before) / 2)
        told = (
            f"{took[-1]:6.2f} s ({2 * shares[-1]:5.2f} s of processors)  run {effect.run:>5}, {effect.known:>5} known"
        )
        told += f"  fixed {len(effect.fixed):>3}  broken {len(effect.broken):>3}  changed {len(effect.changed):>3}"
        told += f"  {tell_edit(edit)}"
        if look.late:
            told += look.tell()
            late.append(look)
        if number < options.whole:
            missing = find_lost(base, draft.policy)
            lost += len(missing)
            told += f"  whole run: {'equal' if not missing else f'{len(missing)} LOST'}"
        sys.stdout.write(f"{told}\n")
        sys.stdout.flush()
    slow = [each for each in took if each > SECONDS]
    if not took:
        return 0
    sys.stdout.write(
        f"median {statistics.median(took):.2f} s, longest {max(took):.2f} s; "
        f"{len(took) - len(slow)} of {len(took)} within {SECONDS:.0f} s by the clock, "
        f"{sum(each <= SECONDS for each in shares)} by what two quiet cores take; "
        f"{lost} lost in {min(options.whole, len(took))} whole runs; of the {len(late)} that took longer, "
        f"{sum(each.is_right() for each in late)} came within what was said of them after {SECONDS:.0f} s\n"
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
