"""The LLM lane in a bulk run: a sample by its seed, limits that hold over all runs, and no answer asked for twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evals.asking import Entrant
from evals.bulk.folder import LLM, RunFolder
from evals.bulk.job import open_job
from evals.bulk.sampling import LLMLimits, Pace, draw_sample, run_sample
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.trace import LLMTrace
from tests.assistant.conftest import says
from tests.evals.bulk.made_up import begin, many, run_here, write_lines
from tests.llm.fault_server import FaultServer, serve, status

TOKENS = 13
"""That the server says an answer took."""


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return decided(tmp_path, 20)


def decided(place: Path, shard: int, seed: int = 1) -> RunFolder:
    path = place / "a.jsonl"
    if not path.exists():
        write_lines(path, many(60))
    run = begin(place / f"run-{shard}-{seed}", [path], shard=shard, seed=seed)
    run_here(run)
    return run


@contextmanager
def model(*answers: Any) -> Iterator[tuple[FaultServer, Entrant]]:
    with serve(*(answers or (says("hello"),))) as server:
        endpoint = Endpoint("openai", server.url, "m", key="sk-test", timeout_seconds=5)
        yield server, Entrant("LLM", LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01), 1, "llm")


def sample(run: RunFolder, entrant: Entrant, price: float | None = 0.01, **limits: Any) -> dict[str, Any]:
    def cost(_trace: LLMTrace) -> float | None:
        return price

    wanted = LLMLimits(**{"sample": 10, "rate": 0, **limits})
    return run_sample(run, open_job(run.packed_job()).job, wanted, lambda _line: None, entrant=entrant, price=cost)


def test_the_sample_is_the_seeds_whatever_the_shards(tmp_path: Path, run: RunFolder) -> None:
    drawn = [each["id"] for each in draw_sample(run, 12)]
    assert len(set(drawn)) == 12
    assert [each["id"] for each in draw_sample(decided(tmp_path, 7), 12)] == drawn
    assert [each["id"] for each in draw_sample(run, 5)] == drawn[:5]
    assert [each["id"] for each in draw_sample(decided(tmp_path, 20, seed=2), 12)] != drawn
    assert len(draw_sample(run, 1_000)) == 60


def test_agreement_and_what_it_took_are_counted(run: RunFolder) -> None:
    with model() as (server, entrant):
        found = sample(run, entrant)
    assert len(server.requests) == found["calls"] == found["answered"] == found["drawn"] == 10
    assert found["tokens"] == 10 * TOKENS
    assert found["dollars"] == pytest.approx(0.10)
    assert sum(found["standings"].values()) == 10
    labelled = [each for each in draw_sample(run, 10) if each["accepted"]]
    assert sum(found["tiles"].values()) == len(labelled) > 0
    assert found["stopped"] == ""


@pytest.mark.parametrize(
    ("limits", "calls", "stopped"),
    [
        ({"calls": 3}, 3, "the limit of 3 calls"),
        ({"tokens": 2 * TOKENS + 1}, 3, "the limit of 27 tokens"),
        ({"dollars": 0.02}, 2, "the limit of 0.02 dollars"),
    ],
)
def test_limits_hold_also_when_it_goes_on(run: RunFolder, limits: dict[str, Any], calls: int, stopped: str) -> None:
    with model() as (server, entrant):
        found = sample(run, entrant, **limits)
        again = sample(run, entrant, **limits)
        assert len(server.requests) == calls
        assert found == again
        assert (found["answered"], found["stopped"]) == (calls, stopped)
        whole = sample(run, entrant)
        assert len(server.requests) == whole["answered"] == 10, "what has an answer is not asked again"


def test_a_limit_of_money_does_not_hold_without_a_price_so_it_ends(run: RunFolder) -> None:
    with model() as (server, entrant):
        found = sample(run, entrant, price=None, dollars=1.0)
    assert len(server.requests) == 1
    assert found["stopped"] == "a price that is not known"
    assert found["dollars"] is None


def test_what_gave_no_answer_is_asked_again_and_half_a_line_harms_nothing(run: RunFolder) -> None:
    with model(status(401), says("hello")) as (server, entrant):
        found = sample(run, entrant, calls=4)
        assert (found["failed"], found["answered"]) == (1, 3)
        kept = run.path / LLM
        with kept.open("a", encoding="utf-8") as file:
            file.write('{"shard": 0, "row"')
        whole = sample(run, entrant)
        assert (whole["failed"], whole["answered"]) == (0, 10)
        assert len(server.requests) == whole["calls"] == 11
    lines = [line for line in kept.read_text(encoding="utf-8").split("\n") if line]
    assert sum(bool(_read(line)) for line in lines) == 11


def test_calls_are_spread_over_the_minute() -> None:
    now = [0.0]
    pace = Pace(30, lambda: now[0])
    assert pace.due() == 0.0
    assert pace.due() == 2.0
    now[0] = 1.5
    assert pace.due() == 0.5
    now[0] = 2.0
    assert pace.due() == 0.0
    now[0] = 60.0
    assert pace.due() == 0.0
    assert pace.due() > 0, "a pause is not made up for by a rush"


def _read(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None
