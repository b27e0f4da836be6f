"""What the controls of the Compare page do: callbacks that start work and change what is kept; none draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from db.evaluation.cases import list_cases
from db.evaluation.comparison_work import ask_to_end
from db.evaluation.comparisons import remove_comparison, rename_comparison, start_comparison
from db.reach import read_reach
from db.users import User
from domains.loading import load_domain
from engine.border.wire import read_context
from engine.domain import Domain
from evals.asking import Entrant
from evals.comparing import make_work, write_recipe
from evals.line_files import LINE_LIMIT, Line, Lines, form_of, read_lines
from llm.prices import cost_of
from ui import background
from ui.compare.deciders import make_entrants, write_specs
from ui.deciding.choosing import read_domain
from ui.kept_runs import RUN_KEY
from ui.lanes import current_prices
from ui.resources import load_database, now_here
from ui.state.address import drop_from_address, first_page
from ui.state.fields import drop_values, put_value, read_text, read_value
from ui.state.notices import put_notice
from ui.state.values import Notice

SOURCE_KEY, TEXT_KEY, FILE_KEY, NAME_KEY = "compare_source", "compare_text", "compare_file", "compare_name"
KEPT_TEXT, KEPT_SOURCE = "compare_kept_text", "compare_kept_source"
THING_LIMIT = 1_000
"""Of a person's own things, so many are looked at: those changed last."""
PLACE = "compare_run"


def read_input(user: User) -> tuple[Lines, str]:
    """The lines that are there to compare, and what to call them."""
    if read_value(KEPT_SOURCE) == "saved":
        return _read_saved(user, read_domain()), "Saved cases"
    if read_value(KEPT_SOURCE) == "file":
        file = read_value(FILE_KEY)
        return (_read(file.getvalue(), file.name, read_domain()), file.name) if file else (Lines(), "")
    text = read_text(KEPT_TEXT)
    lines = _read(text.encode(), "pasted.txt", read_domain())
    first = lines.found[0].text if lines.found else ""
    return lines, first[:40] + ("…" if len(first) > 40 else "")


@lru_cache(maxsize=4)
def _read(content: bytes, name: str, domain: str) -> Lines:
    """Cached: the page runs again at every click, and ten thousand lines take a while to check."""
    return read_lines(content, form_of(name), domain)


def _read_saved(user: User, domain: str) -> Lines:
    """Each in the context it was saved in, with what it should come to; the oldest first."""
    with load_database().read() as session:
        cases = list_cases(session, user.id, domain=domain, limit=LINE_LIMIT)
    contexts = [
        {name: value for name, value in case.context.items() if name not in ("user", "domain")} for case in cases
    ]
    pairs = zip(reversed(cases), reversed(contexts), strict=True)
    return Lines(
        tuple(Line(number, case.text, own, case.expected) for number, (case, own) in enumerate(pairs, start=1))
    )


def keep_text() -> None:
    put_value(KEPT_TEXT, read_text(TEXT_KEY))


def keep_source() -> None:
    put_value(KEPT_SOURCE, read_value(SOURCE_KEY))


def start_run(user: User) -> None:
    lines, source = read_input(user)
    entrants = make_entrants()
    if not lines.found:
        _tell("There is no message to compare yet. Type one, or choose a file.")
        return
    if not entrants:
        _tell("Choose at least one decider.")
        return
    name = read_text(NAME_KEY).strip() or source
    shared = _read_shared(user, load_domain(read_domain()))
    specs = write_specs()
    recipe = write_recipe(specs, lines.found, shared, now_here()) if specs else None
    with load_database().write() as session:
        run_id = start_comparison(
            session,
            user.id,
            name=name,
            deciders=[entrant.name for entrant in entrants],
            total=len(lines.found),
            problems=lines.problems,
            domain=read_domain(),
            recipe=recipe,
        )
    _start(run_id, entrants, lines.found, shared)
    put_notice(None)
    put_value(RUN_KEY, run_id)
    put_value(NAME_KEY, "")
    first_page()


def _start(run_id: str, entrants: Sequence[Entrant], lines: Sequence[Line], shared: Mapping[str, Any]) -> None:
    """Everything that belongs to the session is read here: the thread has none."""
    domain, prices = load_domain(read_domain()), current_prices()
    context = read_context(shared, now_here(), domain)
    work = make_work(load_database(), run_id, entrants, lines, context, domain, lambda trace: cost_of(trace, prices))
    background.start(run_id, work.run, work.finish)


def _read_shared(user: User, domain: Domain) -> Mapping[str, Any]:
    """What lines are about that bring nothing of their own: the person's things of the moment."""
    with load_database().read() as session:
        reach, _ = read_reach(session, user, now_here, domain.name, THING_LIMIT)
    return {**reach, "user": user.handle}


def end_elsewhere(user: User, run_id: str) -> None:
    with load_database().write() as session:
        ask_to_end(session, user.id, run_id)


def rename_run(user: User, run_id: str, key: str) -> None:
    with load_database().write() as session:
        rename_comparison(session, user.id, run_id, read_text(key))


def remove_run(user: User, run_id: str) -> None:
    background.cancel(run_id)
    with load_database().write() as session:
        remove_comparison(session, user.id, run_id)
    drop_values(RUN_KEY)
    drop_from_address(RUN_KEY)


def _tell(text: str) -> None:
    put_notice(Notice("error", text, PLACE))
