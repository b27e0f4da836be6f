"""What a decision in conversation takes of a processor on a real store, the store's part included.

    python -m benchmarks.stored_talk [FILE…]     conversations; by default one blind batch

Each file is played twice: as it is, where a person with few tasks has them read at once (`db/tasks/few_tasks.py`), and
with every question asked of the word index, as for who has many.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from db.tasks import few_tasks
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from evals.conversations.form import WrittenConversation
from evals.conversations.reading import FOLDER, load_conversations
from evals.conversations.running import run_conversations

_WARMING = 4
"""Conversations: what is read when it is first needed is no part of a decision."""


class _TimedDecider(RuleDecider):
    def __init__(self) -> None:
        super().__init__(load_domain())
        self.seconds, self.decisions = 0.0, 0

    def decide(self, text: str, context: Context) -> Decision:
        began = time.process_time()
        try:
            return super().decide(text, context)
        finally:
            self.seconds += time.process_time() - began
            self.decisions += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=[FOLDER / "blind" / "batch_89.yaml"])
    conversations = load_conversations(parser.parse_args().files)
    _play([*conversations[:_WARMING], *conversations[-_WARMING:]])
    few = _play(conversations)
    few_tasks.FEW = 0
    print(f"tasks read at once: {few}\nwords asked about: {_play(conversations)}")


def _play(conversations: list[WrittenConversation]) -> str:
    decider = _TimedDecider()
    list(run_conversations(conversations, "engine", in_step=True, engine=decider))
    return f"{1000 * decider.seconds / decider.decisions:.1f} ms of a processor each, of {decider.decisions} decisions"


if __name__ == "__main__":
    main()
