"""Makes the examples: our own sentences, conversations and results, and the train split of the public utterances.

    python -m training.adapter.make_examples DATA_FOLDER --out examples.jsonl.gz

Without a data folder only our own sentences are made. The same options give the same examples.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from domains.loading import load_domain
from engine.decision import Context, Language
from engine.targets.memory_index import MemoryIndex
from engine.values import ToolCall
from evals.conversations.reading import FOLDER
from llm.calls import check_copied
from llm.trace import RawCall
from training.adapter.conversations import conversations
from training.adapter.dialogues import dialogue_examples, read_dialogues
from training.adapter.example import Example
from training.adapter.machines.examples import machine_examples
from training.adapter.public_rows import clock_rows, negative_rows, task_rows, titles_of
from training.adapter.requests import ANSWERED_IN_WORDS, LEFT_OPEN, in_words, left_open, requests, several, small_talk
from training.adapter.results import results
from training.adapter.speaker import Speaker
from training.adapter.stores import amid
from training.adapter.written_turns import written_examples

OPTIONS = Path(__file__).parent / "options.toml"
_AT_ONCE = 500
ASIDE = "aside_"
"""What the kind of an example begins with that is not trained on."""
CONVERSATIONS = Path(__file__).parent.parent / "conversations"
BLIND = FOLDER / "blind"
"""Written conversations that were measured on, and then let go: `written.more` in the options names them."""
_NOW = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001 - a wall clock, as the Context has it


def load_options(path: Path = OPTIONS) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def own_examples(options: dict[str, Any], data: Path | None = None) -> Iterator[Example]:
    for place, language in enumerate(sorted(options["examples"])):
        speaker = Speaker(language, options["seed"] + place, titles_of(data, language) if data else ())
        for kind, count in options["examples"][language].items():
            yield from among_tasks(_of_kind(speaker, kind, count), speaker, options["among_tasks"])


def among_tasks(examples: Iterable[Example], speaker: Speaker, share: float) -> Iterator[Example]:
    """Single messages, this share of them with somebody's tasks in reach."""
    for example in examples:
        single = len(example.messages) == 1
        yield amid(example, speaker) if single and speaker.chance(share) else example


def _of_kind(speaker: Speaker, kind: str, count: int) -> Iterator[Example]:
    makers = {"several": several, "small_talk": small_talk, "conversations": conversations, "results": results}
    if kind in makers:
        return makers[kind](speaker, count)
    if kind in LEFT_OPEN:
        return left_open(speaker, kind, count)
    return in_words(speaker, kind, count) if kind in ANSWERED_IN_WORDS else requests(speaker, kind, count)


def public_examples(options: dict[str, Any], data: Path) -> Iterator[Example]:
    public, seed, share = options["public"], options["seed"], options["among_tasks"]
    speakers = {language: Speaker(language, seed + place) for place, language in enumerate(sorted(options["examples"]))}
    asked = [example for example in task_rows(data) if not problem_of(example)]
    single = [*asked * public["task_repeats"], *clock_rows(data, public["clocks"], seed)]
    single += negative_rows(data, public["negatives"], seed)
    for example in single:
        yield from among_tasks([example], speakers[example.language], share)
    rows = read_dialogues(data)
    with ProcessPoolExecutor(options.get("workers")) as pool:
        for found in pool.map(dialogue_examples, (rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE))):
            yield from found


def conversation_examples(options: dict[str, Any]) -> list[Example]:
    """The written conversations, as often as the options say; some only to see how the training goes."""
    more = [BLIND / name for name in options["written"]["more"]]
    paths, aside = [*sorted(CONVERSATIONS.glob("*.yaml")), *more], options["written"]["aside"]
    learned, looked_at = [], []
    with ProcessPoolExecutor(options.get("workers")) as pool:
        for path, found in zip(paths, pool.map(partial(written_examples, seed=options["seed"]), paths), strict=True):
            if path.name in aside:
                looked_at += [replace(example, kind=f"{ASIDE}{example.kind}") for example in found]
            else:
                learned += found
    return [*learned * options["written"]["repeats"], *looked_at]


def problem_of(example: Example) -> str:
    """Why one of its calls would be refused, by the code that checks a model's calls; empty when none would."""
    language: Language = "it" if example.language == "it" else "en"
    context = Context(MemoryIndex(()), _NOW, language=language)
    for name, arguments in example.calls:
        checked = check_copied(RawCall(name, json.dumps(arguments)), example.said, context, language, load_domain())
        if not isinstance(checked, ToolCall):
            return checked.message
    return ""


def distinct(examples: Iterable[Example], most_each: int = 3) -> list[Example]:
    """Short sentences come out often; a few of each are enough."""
    seen: Counter[str] = Counter()
    kept = []
    for example in examples:
        key = json.dumps(list(example.messages), sort_keys=True)
        seen[key] += 1
        if seen[key] <= most_each:
            kept.append(example)
    return kept


def make_all(options: dict[str, Any], data: Path | None) -> list[Example]:
    examples = distinct([*own_examples(options, data), *machine_examples(options)])
    examples += conversation_examples(options)
    if data:
        examples += public_examples(options, data)
    random.Random(options["seed"]).shuffle(examples)  # noqa: S311 - nothing secret
    return examples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder with *_train.jsonl.gz")
    parser.add_argument("--options", type=Path, default=OPTIONS)
    parser.add_argument("--out", type=Path, default=Path("examples.jsonl.gz"))
    parser.add_argument("--workers", type=int, help="processes; otherwise one for each core")
    given = parser.parse_args()
    examples = make_all({**load_options(given.options), "workers": given.workers}, given.data)
    with gzip.open(given.out, "wt", encoding="utf-8") as lines:
        for example in examples:
            lines.write(json.dumps(example.as_json(), ensure_ascii=False) + "\n")
    for kind, count in sorted(Counter(example.kind for example in examples).items()):
        sys.stdout.write(f"{kind:22} {count:6}\n")
    sys.stdout.write(f"{len(examples)} examples in {given.out}\n")


if __name__ == "__main__":
    main()
