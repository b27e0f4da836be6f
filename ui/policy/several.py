"""Several misread cases at once: the edit that mends most of them comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from db.evaluation.cases import count_cases
from db.users import User
from domains.deciders import make_decider
from domains.drafts import PolicyDraft
from domains.loading import load_domain
from engine.editing.edits import tell_edit
from engine.policy.values import Policy
from evals.case import Case
from evals.cases import find_cases, load_cases, load_known_failures
from evals.composer_cases import load_known_failures as load_known_calls
from evals.effect.gathering import load_saved
from evals.suggesting.misread import Misread, misread_case
from evals.suggesting.misread_call import misread_known
from evals.suggesting.search import SuggestedEdit
from evals.suggesting.sets import SetSuggestions, suggest_for_set
from ui import background
from ui.counting import count_of
from ui.policy.actions import put_in
from ui.policy.bases import LockedBase, find_base
from ui.policy.desk import Desk
from ui.policy.edit_words import describe_edit
from ui.policy.effects import show_row
from ui.policy.must_stay import read_added
from ui.policy.suggestions import tell_verdict
from ui.policy.work import DraftWork, SearchedBase, start_latest
from ui.resources import load_database
from ui.state.fields import start_value
from ui.templates import draw

_CHOSEN_KEY = "policy_several"
_MOST_CHOSEN = 30
_FIRST_LOOK_SECONDS = 0.6
_POLL_SECONDS = 0.5
_SEARCH_SECONDS = 60.0
_MOST_ROWS = 8
_MOST_KEPT = 8
_failing: dict[tuple[Any, ...], Mapping[str, Misread]] = {}


class SetWork(DraftWork):
    """The search for edits that mend a set of cases."""

    found: SetSuggestions | None = None

    def __init__(self, base: LockedBase, draft: PolicyDraft, misreads: Sequence[Misread]) -> None:
        super().__init__()
        self._base, self._draft, self._misreads = base, draft, misreads

    def run(self) -> None:
        base = SearchedBase(self._base, self.progress)
        self.found = suggest_for_set(
            self._misreads,
            self._draft,
            base,
            seconds=_SEARCH_SECONDS,
            conversations=False,
            progress=self.progress,
            goes_on=base.goes_on,
        )


def render_several(user: User, desk: Desk) -> None:
    failing = find_failing(user, desk)
    if not failing:
        st.info(
            "No case that you saved fails under this policy, and none of the project’s known failures is in this "
            "language. **Fix a message** takes any message; Inspect saves it as a case.",
            icon=":material/task_alt:",
        )
        return
    chosen = _choose(failing)
    if not chosen:
        st.caption("Choose cases that are misread: edits are looked for that mend them, the one that mends most first.")
        return
    base = find_base(user, desk.draft, read_added(desk.place))
    key = ("several", id(base), desk.draft.digest, tuple(chosen))
    work = start_latest("search", key, lambda: SetWork(base, desk.draft, [failing[each] for each in chosen]))
    work.shown.wait(_FIRST_LOOK_SECONDS)
    st.subheader("Suggested fixes", anchor=False)
    if work.ended.is_set():
        _render_found(user, desk, work)
    else:
        _render_search(work)


def find_failing(user: User, desk: Desk) -> Mapping[str, Misread]:
    """By their ids: what this person saved and is misread, then the project's known failures."""
    with load_database().read() as session:
        saved = count_cases(session, user.id, domain=desk.domain)
    key = (load_database(), user.id, desk.domain, desk.draft.policy.version, saved)
    if key not in _failing:  # the page runs at every click
        _failing[key] = _find_failing(user.id, desk.domain, desk.draft.policy)
        for old in list(_failing)[:-_MOST_KEPT]:
            _failing.pop(old, None)
    return _failing[key]


def _find_failing(user_id: str, domain: str, policy: Policy) -> Mapping[str, Misread]:
    known = load_known_failures()
    own = load_saved(load_database(), user_id, domain)
    cases: list[Case] = [*own, *(case for case in load_cases(find_cases(domain), domain) if case.id in known)]
    decider = make_decider(load_domain(domain), policy)
    spoken = (case for case in cases if case.language == policy.language)
    found = [misread for case in spoken if (misread := misread_case(case, decider))]
    found += [misread for misread in misread_known(domain, decider) if misread.language == policy.language]
    return {misread.id: misread for misread in found}


def _choose(failing: Mapping[str, Misread]) -> list[str]:
    """What somebody saved is chosen to begin with."""
    known = {**load_known_failures(), **load_known_calls()}
    start_value(_CHOSEN_KEY, [name for name in failing if name not in known][:_MOST_CHOSEN])
    return st.multiselect(
        "Misread cases",
        list(failing),
        format_func=lambda name: failing[name].text if name in failing else name,
        key=_CHOSEN_KEY,
        max_selections=_MOST_CHOSEN,
        filter_mode="contains",
        wrap=True,
        placeholder=f"{count_of(len(failing), 'misread case')}: yours and the project’s known failures",
        help="Cases that you saved and that are misread now, and the project’s known failures, in this language.",
    )


@st.fragment(run_every=_POLL_SECONDS)
def _render_search(work: SetWork) -> None:
    if work.ended.is_set():
        st.rerun()
    done, total = work.progress.done, work.progress.total
    bar, button = st.columns([5, 1], vertical_alignment="center")
    told = (
        f"Trying small edits: {done:,} of {count_of(total, 'message')} looked at"
        if total
        else "Reading everything known …"
    )
    bar.progress(work.progress.share if total else 0.0, told)
    button.button(
        "Stop", key=f"stop-{work.id}", on_click=background.cancel, args=(work.id,), help="What was found so far stays."
    )


def _render_found(user: User, desk: Desk, work: SetWork) -> None:
    found = work.found
    if found is None:
        st.error("The search ended with an error; the log says why.", icon=":material/error:")
        return
    told = st.success if found.mended else st.warning
    told(found.told, icon=":material/checklist:" if found.mended else ":material/gpp_maybe:")
    texts = {misread.id: misread.text for misread in found.misreads}
    for number, each in enumerate(found.found):
        _render_one(user, desk, each, texts, number)
    left = [texts[misread.id] for misread in found.misreads if misread.id not in found.mended]
    if left:
        st.html(draw("policy/suggestions", "left", left))
    st.caption(
        f"{count_of(found.tried, 'edit')} tried in {found.seconds:.1f} s"
        f"{'' if found.complete else '; the search ended early'}. With one in the draft, the "
        "others are looked for anew; conversations are played there."
    )


def _render_one(user: User, desk: Desk, each: SuggestedEdit, texts: Mapping[str, str], number: int) -> None:
    with st.container(border=True, gap="xsmall"):
        words, button = st.columns([5, 2], vertical_alignment="center")
        effect = each.effect
        others = [row for row in effect.fixed if row.probe.id not in each.mends]
        shown = {
            "told": describe_edit(each.edit, each.draft.policy),
            "code": tell_edit(each.edit),
            "mends": [texts[name] for name in each.mends],
            "mark": "tl-agree" if each.safe else "tl-differ",
            "verdict": tell_verdict(each),
            "fixed": len(others),
            "broken": len(effect.broken),
            "changed": len(effect.changed),
        }
        words.html(draw("policy/suggestions", "for_several", shown))
        button.button(
            "Put into the draft", key=f"several-{number}-{desk.draft.digest}", icon=":material/add:", width="stretch",
            type="primary" if number == 0 and each.safe else "secondary", on_click=put_in, args=(desk, each.edit),
        )  # fmt: skip
        touched = (*effect.broken, *others, *effect.changed)
        if touched:
            rows = [show_row(user, row) for row in touched[:_MOST_ROWS]]
            st.html(draw("policy/suggestions", "touched", rows, len(touched)))
