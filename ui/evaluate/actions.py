"""What the controls of Evaluate do: callbacks that start work and change what is kept; none draws."""

from __future__ import annotations

from collections.abc import Callable

from db.evaluation.run_values import ResultFilter
from db.evaluation.runs import ask_to_end, find_run, mark_baseline, remove_run, rename_run
from db.users import User
from engine.policy.loading import PolicyError
from evals.asking import CostOf
from evals.evaluate.room import Begun, begin_run, resume_run, take_part
from evals.evaluate.specs import DeciderError, read_spec
from llm.prices import cost_of
from ui import background
from ui.deciding.choosing import find_endpoint
from ui.evaluate import data_sets, deciders
from ui.kept_runs import RUN_KEY
from ui.lanes import current_prices
from ui.resources import load_database
from ui.state.address import drop_from_address, first_page
from ui.state.fields import drop_values, put_value, read_text
from ui.state.notices import put_notice
from ui.state.values import Notice

NAME_KEY = "evaluate_name"
PLACE = "evaluate_run"
_CHOSEN = ("who", "meant", "came", "against", "change", "slice", "only", "q")
"""What was chosen of one run says nothing about another."""


def start_run(user: User) -> None:
    data_set, specs = data_sets.read_data_set(user), deciders.chosen_specs()
    name = read_text(NAME_KEY).strip()
    if _begin(
        lambda: begin_run(
            load_database(),
            user.id,
            data_set,
            specs,
            name=name,
            find_endpoint=find_endpoint,
            cost_of=_make_cost_of(),
        )
    ):
        put_value(NAME_KEY, "")


def resume(user: User, run_id: str) -> None:
    _begin(lambda: resume_run(load_database(), user.id, run_id, find_endpoint=find_endpoint, cost_of=_make_cost_of()))


def run_part_again(user: User, run_id: str, wanted: ResultFilter, name: str) -> None:
    """What the table shows, through the same deciders."""

    def begin() -> Begun | None:
        with load_database().read() as session:
            part = take_part(session, user.id, run_id, wanted, name)
            run = find_run(session, user.id, run_id)
        if run is None:
            return None
        specs = [read_spec(each) for each in run.deciders]
        return begin_run(
            load_database(),
            user.id,
            part,
            specs,
            name=name,
            find_endpoint=find_endpoint,
            cost_of=_make_cost_of(),
            part_of=run_id,
        )

    _begin(begin)


def _begin(begin: Callable[[], Begun | None]) -> bool:
    try:
        begun = begin()
    except (DeciderError, PolicyError, ValueError) as error:
        text = str(error)
        put_notice(Notice("error", text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."), PLACE))
        return False
    if begun is None:
        put_notice(Notice("error", "There is no such run any more.", PLACE))
        return False
    background.start(begun.run_id, begun.work, begun.work.finish)
    put_notice(None)
    open_run(begun.run_id)
    return True


def _make_cost_of() -> CostOf:
    """Everything that belongs to the session is read here: the thread has none."""
    prices = current_prices()
    return lambda trace: cost_of(trace, prices)


def open_run(run_id: str) -> None:
    put_value(RUN_KEY, run_id)
    forget_choices()


def forget_choices() -> None:
    drop_values(*_CHOSEN)
    for name in _CHOSEN:
        drop_from_address(name)
    first_page()


def rename(user: User, run_id: str, key: str) -> None:
    with load_database().write() as session:
        rename_run(session, user.id, run_id, read_text(key))


def remove(user: User, run_id: str) -> None:
    background.cancel(run_id)
    with load_database().write() as session:
        remove_run(session, user.id, run_id)
    drop_values(RUN_KEY)
    drop_from_address(RUN_KEY)
    forget_choices()


def end_elsewhere(user: User, run_id: str) -> None:
    with load_database().write() as session:
        ask_to_end(session, user.id, run_id)


def set_baseline(user: User, run_id: str, is_baseline: bool) -> None:
    with load_database().write() as session:
        mark_baseline(session, user.id, run_id, is_baseline=is_baseline)
