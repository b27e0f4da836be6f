"""How far learning has come, as the page tells it."""

from __future__ import annotations

import time

from evals.learning.fitting import STEPS
from evals.learning.learning import FOLDS
from evals.progress import Progress
from ui.policy.learning import tell_learning

RUNS = FOLDS + 1


def test_what_learning_is_at_is_told_with_figures() -> None:
    assert tell_learning(Progress(0)) == "Reading …"
    total = 900 + RUNS * STEPS
    assert tell_learning(Progress(total, done=400)) == "Reading: 400 of 900 messages"
    assert tell_learning(Progress(total, done=900)) == f"Learning without part 1 of {FOLDS}: step 1 of {STEPS}"
    last = Progress(total, done=900 + FOLDS * STEPS + 9)
    assert tell_learning(last) == f"Learning with all messages: step 10 of {STEPS}"
    assert tell_learning(Progress(total, done=total)) == f"Learning with all messages: step {STEPS} of {STEPS}"


def test_the_time_that_is_left_is_told_once_there_is_a_pace() -> None:
    total = 900 + RUNS * STEPS
    going = Progress(total, done=total // 2, started=time.monotonic() - 20)
    assert tell_learning(going).endswith(", about 20 s left")
