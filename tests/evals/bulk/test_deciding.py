"""A shard decided, scored and counted: as Evaluate would, each distinct message once, with both sides of a change."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from evals.bulk import job as job_module
from evals.bulk.columns import read_counts, read_rows
from evals.bulk.deciding import decide_shard
from evals.bulk.files import BulkError, cut_shards, find_files
from evals.bulk.folder import RunFolder
from evals.bulk.job import PackedJob, make_job, make_policy_recipe, make_recipe, open_job, pack
from evals.bulk.report import BulkFigures
from evals.bulk.tally import MOST_VALUES, OTHERS, Merged
from evals.evaluate.direct import judge_all
from evals.evaluate.own_files import read_own_file
from evals.evaluate.scoreboard import make_scoreboard
from evals.evaluate.specs import DeciderSpec
from tests.evals.bulk.made_up import LINES, STRICTER, begin, many, run_here, write_lines


def rows_of(run: RunFolder) -> list[dict[str, Any]]:
    return [row for path in run.shard_paths() for row in read_rows(path, range(1000))]


def test_verdicts_and_figures_are_those_of_evaluate(tmp_path: Path) -> None:
    labelled = [row for row in LINES if row["id"] not in ("latte", "no label")]
    path = write_lines(tmp_path / "a.jsonl", labelled)
    run = begin(tmp_path / "run", [path], shard=2)
    figures = BulkFigures(run_here(run), "tasks", ("new",))
    judged = judge_all(read_own_file(path.read_bytes(), path.name), DeciderSpec("engine"))
    assert [row["verdict"] for row in rows_of(run)] == [each.verdict for each in judged]
    assert [row["final"] for row in rows_of(run)] == [each.final for each in judged]
    board = make_scoreboard("new", judged, load_domain("tasks").catalogue.intents)
    ours = figures.board(0)
    assert ours.verdicts == board.verdicts
    assert ours.intents == board.intents
    assert ours.intents_behind == board.intents_behind
    assert (ours.reading, ours.unasked, ours.missed) == (board.reading, board.unasked, board.missed)
    assert figures.cells(0) == Counter((each.label, each.final) for each in judged)


def test_what_stands_alone_is_decided_once_in_a_shard(tmp_path: Path) -> None:
    rows = [
        {"text": "show my tasks"},
        {"text": "show my tasks"},
        {"text": "show my tasks", "lang": "en"},
        {"text": "show my tasks", "now": "2026-05-04T10:00"},
        {"text": "show my tasks", "tasks": [{"title": "Buy tea"}]},
        {"text": "show my tasks", "tasks": [{"title": "Buy tea"}]},
    ]
    figures = run_here(begin(tmp_path / "run", [write_lines(tmp_path / "a.jsonl", rows)]))
    assert figures["messages"] == 6
    assert figures["distinct"] == 5, "with a context each is decided by itself"
    assert figures["with_context"] == 2


def test_how_a_file_is_cut_changes_no_figure(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [*many(40), "{bad", *many(10)])
    found = []
    for shard in (3, 1000):
        figures = run_here(begin(tmp_path / f"run-{shard}", [path], shard=shard))
        del figures["distinct"]  # of a shard's own
        found.append(figures)
    assert found[0] == found[1]
    assert found[0]["bad"] == 1
    assert found[0]["bad_lines"][0]["line"] == 41


def test_shards_add_up_to_the_same_in_any_order(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", [write_lines(tmp_path / "a.jsonl", many(30))], shard=4)
    whole = run_here(run)
    counts = [read_counts(path) for path in run.shard_paths()]
    for seed in range(5):
        random.Random(seed).shuffle(counts)
        merged = Merged()
        for each in counts:
            merged.add(each)
        assert merged.figures() == whole


def test_ten_thousand_sources_are_not_all_named() -> None:
    merged = Merged()
    merged.add(
        {"counts": [[["sides", "0", "slices", "source", f"s{n:05d}", "messages"], 1] for n in range(10_000)], "bad": []}
    )
    named = merged.figures()["sides"]["0"]["slices"]["source"]
    assert len(named) == MOST_VALUES + 1
    assert named[OTHERS]["messages"] == 10_000 - MOST_VALUES


def test_both_sides_of_a_change_are_kept_and_counted(tmp_path: Path) -> None:
    policy = tmp_path / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    path = write_lines(tmp_path / "a.jsonl", LINES)
    run = begin(tmp_path / "run", [path], policy=policy, both=True)
    figures = BulkFigures(run_here(run), "tasks", ("new", "before"))
    changed = {row["id"]: row for row in rows_of(run) if row["changed"]}
    assert figures.changed == len(changed) > 0
    assert set(figures.sorts) == {"no_longer_acts"}
    assert "latte" not in changed, "the policy of the other language is the same"
    for row in changed.values():
        assert (row["action"], row["other_action"]) == ("clarify", "execute")
    assert sum(pair.messages for pair in figures.pairs()) == figures.changed
    assert sum(figures.changes_labelled.values()) == figures.labelled
    assert sum(part.changed for part in figures.changed_parts() if part.name == "length") == figures.changed


def test_a_decider_that_fails_costs_its_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decide = RuleDecider.decide

    def fail_on_tea(self: RuleDecider, text: str, context: Context) -> Decision:
        if "tea" in text:
            raise RuntimeError("no tea")
        return decide(self, text, context)

    monkeypatch.setattr(RuleDecider, "decide", fail_on_tea)
    run = begin(tmp_path / "run", [write_lines(tmp_path / "a.jsonl", LINES)])
    figures = run_here(run)
    assert figures["sides"]["0"]["failed"] == 1
    tea = next(row for row in rows_of(run) if row["id"] == "tea")
    assert (tea["verdict"], tea["problem"]) == ("no_answer", "RuntimeError: no tea")


def test_a_context_that_is_none_is_a_bad_line(tmp_path: Path) -> None:
    rows = [
        {"text": "show it", "tasks": [{"title": 7}]},
        {"text": "done", "intent": "complete_task", "target": "Nothing"},
    ]
    run = begin(tmp_path / "run", [write_lines(tmp_path / "a.jsonl", rows)])
    figures = run_here(run)
    assert figures["bad"] == 2
    assert figures.get("messages", 0) == 0


def test_a_worker_refuses_other_bytes_other_policies_and_other_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    job = make_job([make_recipe("tasks", "engine", "new")], now="2026-03-02T09:00")
    packed = pack(job)
    (shard,) = cut_shards(find_files([str(write_lines(tmp_path / "a.jsonl", LINES))]), 100)
    with pytest.raises(BulkError, match="another digest"):
        decide_shard(PackedJob(packed.data[:-1] + bytes([packed.data[-1] ^ 1]), packed.digest), shard)
    swapped = {language: dict(each.texts) for language, each in zip(("en", "it"), job.recipes[0].saved, strict=True)}
    swapped["en"]["language.yaml"] += "\n# another one\n"
    other = make_job([make_policy_recipe("tasks", swapped, "new")], now=job.now)
    assert other.versions != job.versions
    with pytest.raises(BulkError, match=f"asked for {job.versions[0][0]}"):
        decide_shard(pack(job_module.Job(other.recipes, job.versions, "tasks", job.now, True, 1, job.code)), shard)
    monkeypatch.setattr(job_module, "code_digest", lambda: "0123456789ab")
    open_job.cache_clear()
    with pytest.raises(BulkError, match="another version of Twolane"):
        decide_shard(packed, shard)


def test_a_policy_is_sent_as_it_was_when_the_run_began(tmp_path: Path) -> None:
    """The bytes in the folder decide, whatever becomes of the file."""
    policy = tmp_path / "stricter.yaml"
    policy.write_text(STRICTER, encoding="utf-8")
    run = begin(tmp_path / "run", [write_lines(tmp_path / "a.jsonl", LINES)], policy=policy)
    policy.unlink()
    versions = run.plan().versions[0]
    run_here(run)
    assert open_job(run.packed_job()).job.versions == (versions,)
    assert next(row["action"] for row in rows_of(run) if row["id"] == "tea") == "clarify"
