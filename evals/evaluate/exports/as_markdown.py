"""A run for a pull request: the scoreboard, what changed since the baseline, and which cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evals.evaluate.comparing import RunComparison
from evals.evaluate.exports.report import RunReport
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.verdicts import VERDICT_WORDS
from evals.intervals import Rate

_MOST_CASES = 20
_TEXT = 100


def write_markdown(report: RunReport) -> str:
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RunReport) -> Iterator[str]:
    yield f"## Evaluation: {plain(report.name)}"
    yield ""
    yield (
        f"{len(report.cases):,} cases of {plain(report.set_name)} (fingerprint `{report.fingerprint[:12]}`), "
        f"{report.created_at:%Y-%m-%d %H:%M}{'' if report.status == 'done' else f', {report.status}'}"
    )
    yield ""
    yield from scoreboard_lines(report)
    for comparison in report.since:
        yield ""
        yield f"### {plain(comparison.second)} against {plain(comparison.first)}"
        yield ""
        yield from comparison_lines(comparison, report)
    for comparison in report.between:
        yield ""
        yield f"**{plain(comparison.first)} and {plain(comparison.second)}**: {plain(comparison.sentence)}"


def scoreboard_lines(report: RunReport) -> Iterator[str]:
    heads = [decider.label for decider in report.deciders]
    yield from _table(
        ["", *heads],
        [
            [words, *(write_rate(decider.scoreboard.verdicts[verdict]) for decider in report.deciders)]
            for verdict, (words, _) in VERDICT_WORDS.items()
        ]
        + [
            [
                "ECE (noise floor)",
                *(_ece(decider.calibration.ece, decider.calibration.noise_floor) for decider in report.deciders),
            ],
            ["Median time", *(_time(decider.scoreboard.median_ms) for decider in report.deciders)],
        ],
    )


def comparison_lines(comparison: RunComparison, report: RunReport) -> Iterator[str]:
    yield plain(comparison.sentence)
    if comparison.sharing_sentence:
        yield ""
        yield plain(comparison.sharing_sentence)
    yield ""
    counts = {name: len(getattr(comparison, name)) for name in ("fixed", "broken", "changed", "unchanged")}
    yield ", ".join(f"**{count:,}** {name}" for name, count in counts.items())
    noisy = [each for each in comparison.slices if each.is_more_than_noise]
    if noisy:
        yield ""
        yield from _table(
            ["Slice", "Cases", "Difference", "p (Holm)"],
            [
                [
                    f"{SLICE_WORDS.get(each.name, each.name)}: {each.value}",
                    f"{each.difference.total:,}",
                    f"{100 * (each.difference.value or 0):+.1f} points",
                    f"{each.adjusted_p:.3f}",
                ]
                for each in noisy
            ],
        )
    for name in ("broken", "fixed"):
        yield from _case_lines(name, getattr(comparison, name), report)


def _case_lines(name: str, keys: Sequence[str], report: RunReport) -> Iterator[str]:
    if not keys:
        return
    by_key = {case.key: case for case in report.cases}
    yield ""
    yield f"<details><summary>{len(keys):,} {name}</summary>"
    yield ""
    for key in keys[:_MOST_CASES]:
        case = by_key[key]
        mark = " **critical**" if case.severity == "critical" else ""
        yield f"- `{_code(case.case_id)}`{mark}: {plain(case.text[:_TEXT])}"
    if len(keys) > _MOST_CASES:
        yield f"- and {len(keys) - _MOST_CASES:,} more"
    yield ""
    yield "</details>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(plain(head) for head in heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(plain(cell) for cell in row) + " |"


def plain(text: str) -> str:
    """In one line, and nothing in it counts as Markdown or HTML."""
    line = " ".join(text.split())
    for char in "\\`*_{}[]<>|#~":
        line = line.replace(char, f"\\{char}")
    return line.replace("&", "&amp;")


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def write_rate(rate: Rate) -> str:
    if rate.value is None:
        return "none"
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def _ece(rate: Rate, floor: float | None) -> str:
    return "not stated" if rate.value is None or floor is None else f"{rate.value:.3f} ({floor:.3f})"


def _time(milliseconds: float | None) -> str:
    return "none" if milliseconds is None else f"{milliseconds:.1f} ms"
