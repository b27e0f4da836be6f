"""Date finders side by side: our own rules and the libraries of PyPI.

    python benchmarks/date_libraries.py [--data FOLDER] [--phrases FILE ...] [--seconds 20] [--only NAME ...]

Without a data folder it measures our own phrases, `tests/engine/dates_*.yaml`. With one (the public utterances, which
are not part of the project) also the rows of `tasks_dev.jsonl.gz` whose date words are marked. A library that is not
installed is left out: pip install dateparser parsedatetime recurrent timefhuman ctparse python-dateutil
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.date_finders import FINDERS, Finder, Found  # noqa: E402
from benchmarks.date_rows import Row, load_phrases, load_utterances  # noqa: E402

PREPOSITIONS = frozenset("""
    on by at for in before after until to from within the no later than
    il la entro per alle di del della a nel nei fra tra verso le prima delle al
""".split())  # noqa: SIM905  # fmt: skip


@dataclass
class Tally:
    dated: int = 0
    found: int = 0
    exact: int = 0
    valued: int = 0
    right: int = 0
    undated: int = 0
    false: int = 0
    raised: int = 0
    microseconds: list[float] = field(default_factory=list)


def is_right(found: Found, values: tuple[str, ...]) -> bool:
    """The same day, and the same time where one was said. "tonight" has no time that is the only right one."""
    if found.moment is None:
        return False
    day, minute = found.moment.strftime("%Y-%m-%d"), found.moment.strftime("%Y-%m-%dT%H:%M")
    return any(value in (day, minute) for value in values)


def tally(finder: Finder, rows: list[Row], seconds: float) -> Tally:
    """Rows in order until the time is up; a slow library is measured on fewer."""
    result = Tally()
    finder.find("warm up tomorrow", rows[0].now, rows[0].language)
    started = time.perf_counter()
    for row in rows:
        if time.perf_counter() - started > seconds:
            break
        before = time.perf_counter()
        try:
            found = finder.find(row.text, row.now, row.language)
        except Exception:  # some libraries fall over some texts; for a user that is a date not found
            found = []
            result.raised += 1
        result.microseconds.append((time.perf_counter() - before) * 1e6)
        if not row.spans:
            result.undated += 1
            result.false += bool(found)
            continue
        result.dated += 1
        result.found += any(overlaps(match, row.spans) for match in found)
        result.exact += len(found) == len(row.spans) and all(is_exact(match, row) for match in found)
        if row.values:
            result.valued += 1
            result.right += any(is_right(match, row.values) for match in found)
    return result


def is_exact(match: Found, row: Row) -> bool:
    """The marked words; prepositions may be left out, most libraries do."""
    return match.span is not None and any(
        match.span[1] == end and set(row.text[start : max(start, match.span[0])].lower().split()) <= PREPOSITIONS
        for start, end in row.spans
        if match.span[0] >= start
    )


def overlaps(match: Found, spans: tuple[tuple[int, int], ...]) -> bool:
    if match.span is None:
        return True  # a library that does not say where: the benefit of the doubt
    return any(match.span[0] < end and match.span[1] > start for start, end in spans)


def import_milliseconds(finder: Finder) -> float:
    """Import and first use, in a fresh interpreter; the best of three."""
    code = (
        "import sys, time; sys.path.insert(0, sys.argv[1]); start = time.perf_counter(); from datetime import datetime;"
        "from benchmarks.date_finders import FINDERS; finder = FINDERS[sys.argv[2]](); "
        "finder.find('call Ann tomorrow at 5pm', datetime(2026, 3, 4, 10), 'en'); print(time.perf_counter() - start)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code, str(ROOT), finder.name], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs) * 1000


def share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def print_table(title: str, rows: list[Row], finders: list[Finder], seconds: float) -> None:
    dated = sum(bool(row.spans) for row in rows)
    print(f"\n## {title}: {dated} with a date, {len(rows) - dated} without\n")
    print("| finder | rows | found | exact words | right value | false dates | raised | median us | 99% us |")
    print("|---|---|---|---|---|---|---|---|---|")
    for finder in finders:
        result = tally(finder, rows, seconds)
        times = sorted(result.microseconds)
        print(
            f"| {finder.name} | {len(times)} | {share(result.found, result.dated)} | "
            f"{share(result.exact, result.dated) if finder.has_spans else '-'} | "
            f"{share(result.right, result.valued)} | {share(result.false, result.undated)} | {result.raised} | "
            f"{statistics.median(times):,.0f} | {times[int(len(times) * 0.99)]:,.0f} |"
        )


def main() -> None:
    arguments: Any = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, help="folder with tasks_dev.jsonl.gz")
    ours = sorted((ROOT / "tests" / "engine").glob("dates_*.yaml"))
    arguments.add_argument(
        "--phrases", type=Path, nargs="+", default=ours, help="files like tests/engine/dates_en.yaml"
    )
    arguments.add_argument("--seconds", type=float, default=20, help="at most this long for one library and one table")
    arguments.add_argument("--only", nargs="*", default=list(FINDERS), help="names of finders")
    options = arguments.parse_args()
    finders = []
    for name in options.only:
        try:
            finders.append(FINDERS[name]())
        except ImportError as error:
            print(f"left out: {name} ({error})")
    print("| finder | version | licence | Italian | import and first use, ms |\n|---|---|---|---|---|")
    for finder in finders:
        italian = "yes" if "it" in finder.languages else "no"
        print(
            f"| {finder.name} | {finder.version} | {finder.licence} | {italian} | {import_milliseconds(finder):,.0f} |"
        )
    rows = list(load_phrases(options.phrases))
    rows += list(load_utterances(options.data)) if options.data else []
    for language, label in (("en", "English"), ("it", "Italian")):
        able = [finder for finder in finders if language in finder.languages]
        for hand_written, source in ((True, "our phrases"), (False, "public utterances (dev)")):
            chosen = [row for row in rows if row.language == language and row.hand_written is hand_written]
            if chosen:
                print_table(f"{label}, {source}", chosen, able, options.seconds)


if __name__ == "__main__":
    main()
