"""Looking through a policy: every rule with its place and what it is worth, what deserves a look first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from db.users import User
from domains.loading import load_domain
from evals.worth import RuleWorth
from ui.address_controls import render_choice, render_search, render_segments
from ui.markdown import verbatim
from ui.policy.desk import Desk
from ui.policy.entries import SECTIONS, PolicyEntry, Section, list_entries, search
from ui.policy.entry import render_entry
from ui.policy.work import start_once
from ui.policy.worth import EVERY, WEIGHED, WorthWork, list_case_groups, load_group

_MOST_ROWS = 500
_POLL_SECONDS = 0.5
_FIRST_LOOK_SECONDS = 0.3
_KINDS_TOGETHER: tuple[Section, ...] = ("frames", "guards", "ways")
"""Parts whose rules are counted in one go."""
_TOLD_FIRST: tuple[Section, ...] = ("guards", "thresholds")
"""Parts whose rules are known by what they are about rather than by a name."""
_HEIGHT = 380


def render_browse(user: User, desk: Desk) -> None:
    section: Section = render_segments("Part", "part", SECTIONS, "frames")
    weighed = section in WEIGHED and load_domain(desk.domain).conduct is None
    groups = list_case_groups(user, desk.domain, desk.language) if weighed else {}
    searched, counted = st.columns([3, 2]) if groups else (st.container(), st.container())
    with searched:
        words = render_search("Search names, patterns, phrases, places", 80)
    with counted:
        group = render_choice("Counted on these cases", "cases", groups, EVERY) if groups else EVERY
    found = search(list_entries(desk.draft.policy, section), words or "")
    if not found:
        st.info(
            f"Nothing among the {SECTIONS[section].lower()} has “{verbatim(words or '')}”.",
            icon=":material/search_off:",
        )
        return
    worths = _find_worths(user, desk, section, group) if weighed else {}
    rows = sorted(found, key=lambda each: -_look(worths.get(each.rule)))[:_MOST_ROWS]
    chosen = _render_table(desk, section, rows, worths)
    shown = f"The first {_MOST_ROWS} of {len(found):,}: search to see others." if len(found) > _MOST_ROWS else ""
    st.caption(shown or f"{len(found):,} in all. {'' if chosen else 'Choose a row to see it whole and to edit it.'}")
    if chosen:
        render_entry(desk, chosen, worths.get(chosen.rule))


def _look(worth: RuleWorth | None) -> float:
    return worth.look if worth else 0.0


def _find_worths(user: User, desk: Desk, section: Section, group: str) -> dict[str, RuleWorth]:
    """Counted once a policy and choice of cases; until then the table stands without the figures."""
    policy, domain = desk.draft.base, desk.domain
    part = _KINDS_TOGETHER[0] if section in _KINDS_TOGETHER else section
    cases = load_group(user, domain, desk.language, group)
    key = ("worth", domain, policy.version, part, tuple(case.id for case in cases))
    work = start_once(key, lambda: WorthWork(domain, policy, part, lambda: cases))
    work.shown.wait(_FIRST_LOOK_SECONDS)
    if not work.ended.is_set():
        _render_counting(work)
    elif work.failed:
        st.error("What the rules are worth could not be counted; the log says why.", icon=":material/error:")
    return {each.rule: each for each in work.found}


@st.fragment(run_every=_POLL_SECONDS)
def _render_counting(work: WorthWork) -> None:
    if work.ended.is_set():
        st.rerun()
    st.caption(":material/hourglass_top: Counting on the cases what each of them is worth …")


def _render_table(
    desk: Desk, section: Section, rows: list[PolicyEntry], worths: dict[str, RuleWorth]
) -> PolicyEntry | None:
    data = [_row(each, worths.get(each.rule), figures=bool(worths)) for each in rows]
    picked = st.dataframe(
        pd.DataFrame(data),
        key=f"browse-{section}-{desk.draft.digest}",
        hide_index=True,
        height=min(_HEIGHT, 38 + 35 * len(rows)),
        on_select="rerun",
        selection_mode="single-row",
        alt=SECTIONS[section],
        column_config={
            "Name": st.column_config.TextColumn(width=150),
            "About": st.column_config.TextColumn(width=220 if section in _TOLD_FIRST else 150),
            "Says": st.column_config.TextColumn(width=220 if worths else "large"),
            "Value": st.column_config.NumberColumn(format="%.2f", width=60),
            "Fires": st.column_config.NumberColumn(help="On how many messages of the cases it fits.", width=55),
            "Right": st.column_config.NumberColumn(help="Of those, messages that mean what it says.", width=55),
            "Unsaid": st.column_config.NumberColumn(help="Phrases of it that no message of the cases has.", width=65),
            "Alone": st.column_config.NumberColumn(help="… that nothing else of its kind fits.", width=55),
            "Conflicts": st.column_config.TextColumn(
                help="Rules that fit the same messages and ask for another thing.", width=200
            ),
        },
    )
    places = picked["selection"]["rows"]
    return rows[places[0]] if places and places[0] < len(rows) else None


def _row(entry: PolicyEntry, worth: RuleWorth | None, *, figures: bool) -> dict[str, object]:
    """What it says in words comes before what the files call it: a table shows no more than its first columns."""
    says = {"Says": " · ".join(entry.told) or entry.text}
    counted = _figures(entry.section, worth) if figures else {}
    if entry.section == "thresholds":
        return {"About": entry.about, "Value": float(entry.lines[0]), **says, "Name": entry.name, "Place": entry.place}
    if entry.section in _TOLD_FIRST:
        return {"About": entry.about, **says, **counted, "Name": entry.name, "Place": entry.place}
    return {"Name": entry.name, **says, **counted, "About": entry.about, "Place": entry.place}


def _figures(section: Section, worth: RuleWorth | None) -> dict[str, object]:
    fires, right = (worth.fires, worth.right) if worth else (0, 0)
    if section == "words":
        return {"Fires": fires, "Unsaid": worth.unused if worth else 0}
    if section == "weights":
        return {"Fires": fires, "Right": right}
    conflicts = ", ".join(f"{rule.partition(':')[2]} {count}" for rule, count in worth.conflicts[:3]) if worth else ""
    told = conflicts or ("never fires" if not fires else "")
    return {"Fires": fires, "Right": right, "Alone": worth.alone if worth else 0, "Conflicts": told}
