"""Every version of a policy: what it changed, what was known of it, who has it; put in force, rolled back, exported."""

from __future__ import annotations

import streamlit as st

from db.policies.in_force import TimeInForce, find_before, list_times
from db.policies.versions import PolicyVersion, compare_versions, list_versions, read_files
from db.users import User
from engine.editing.archive import write_archive
from ui.counting import count_of
from ui.policy.actions import go_back, put_in_force
from ui.policy.desk import begin_from, count_open_edits, find_in_force
from ui.policy.importing import render_import
from ui.policy.way_to_chat import render_what_was_done
from ui.resources import load_database
from ui.state.fields import put_value
from ui.templates import draw

_Times = tuple[TimeInForce, ...]
_SHOWN = 20
_TIMES_SHOWN = 2
_LINES_SHOWN = 12


def render_versions(user: User, domain: str, language: str) -> None:
    with load_database().read() as session:
        versions, times = list_versions(session, domain, language), list_times(session, domain, language)
    everybody, here = find_in_force(domain, language, everybody=True), find_in_force(domain, language)
    with st.container(key="policy_told"):  # seen wherever in the list something was pressed
        render_what_was_done(domain)
    with st.container(horizontal=True):
        st.button(
            _tell_roll_back(domain, language, everybody),
            key="roll-back",
            icon=":material/undo:",
            on_click=go_back,
            args=(user, domain, language),
            disabled=everybody is None,
            help="Puts back for everybody what was in force before; twice goes back two versions.",
        )
        if here != everybody:
            st.button(
                "End this session’s own", key="here-ended", icon=":material/person_off:",
                on_click=put_in_force, args=(user, domain, language, None), kwargs={"for_session": True},
                help="What everybody has decides in this session again.",
            )  # fmt: skip
        render_import(user, domain, language)
    if not versions:
        st.info(
            "No version was saved yet: the project’s files decide. **Fix a message** leads to the first one.",
            icon=":material/history:",
        )
        return
    for version in versions[:_SHOWN]:
        _render_one(user, version, everybody, here, _times_of(times, version))
    if len(versions) > _SHOWN:
        st.caption(f"The latest {_SHOWN} of {len(versions):,}; the others can be compared below.")
    _render_files(user, domain, language, everybody, _times_of(times, None))
    _render_comparison(versions)


def _tell_roll_back(domain: str, language: str, everybody: PolicyVersion | None) -> str:
    """Where it leads: it counts for everybody at once."""
    if everybody is None:
        return "Roll back"
    with load_database().read() as session:
        before = find_before(session, domain, language)
    return f"Roll back to version {before.sequence}" if before else "Roll back to the project’s files"


def _render_one(
    user: User, version: PolicyVersion, everybody: PolicyVersion | None, here: PolicyVersion | None, times: _Times
) -> None:
    with st.container(border=True, gap="xsmall"):
        marks = _marks(version, everybody, here)
        st.html(draw("policy/versions", "version", version, marks, _counts(version), *_split(times)))
        with st.container(horizontal=True, vertical_alignment="center"):
            _render_for_everybody(user, version.domain, version.language, version, everybody)
            st.button(
                "Use in this session", key=f"here-{version.id}", icon=":material/person:", disabled=version == here,
                on_click=put_in_force, args=(user, version.domain, version.language, version),
                kwargs={"for_session": True}, help="Decides in Chat, Inspect and Compare of this session only.",
            )  # fmt: skip
            _render_draft_from(version)
            st.download_button(
                "Export",
                data=lambda: export_version(version),
                file_name=f"{version.domain}-{version.name}.zip",
                mime="application/zip",
                on_click="ignore",
                key=f"export-{version.id}",
                type="tertiary",
                icon=":material/download:",
                help="The files, to unpack over domains/ and commit.",
            )
            with st.popover("The change", icon=":material/difference:", type="tertiary"):
                long = version.diff.count("\n") > _LINES_SHOWN
                st.code(version.diff or "nothing", language="diff", wrap_lines=True, height=320 if long else "content")


def _render_draft_from(version: PolicyVersion) -> None:
    """Where there is a draft with edits, it says first that these are lost: nothing brings them back."""
    edits = count_open_edits(version.domain, version.language)
    label, key, icon = "Draft from it", f"from-{version.id}", ":material/edit:"
    if not edits:
        st.button(
            label, key=key, type="tertiary", icon=icon, on_click=_begin, args=(version,),
            help="Begins a draft with this version.",
        )  # fmt: skip
        return
    with st.popover(label, icon=icon, type="tertiary"):
        st.caption(f"Your draft with {count_of(edits, 'edit')} was not saved. It is lost then.")
        st.button(f"Begin with version {version.sequence}", key=key, type="primary", on_click=_begin, args=(version,))


def _render_files(user: User, domain: str, language: str, everybody: PolicyVersion | None, times: _Times) -> None:
    """What there is without any version."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.html(draw("policy/versions", "files", everybody is None, *_split(times)), width="stretch")
        _render_for_everybody(user, domain, language, None, everybody)


def _render_for_everybody(
    user: User, domain: str, language: str, version: PolicyVersion | None, everybody: PolicyVersion | None
) -> None:
    st.button(
        "Use for everybody", key=f"all-{version.id if version else 'files'}", icon=":material/group:",
        disabled=version == everybody,
        on_click=put_in_force, args=(user, domain, language, version), kwargs={"for_session": False},
        help="Decides from everybody's next message on.",
    )  # fmt: skip


def _marks(version: PolicyVersion, everybody: PolicyVersion | None, here: PolicyVersion | None) -> list[str]:
    marks = ["in force for everybody"] if version == everybody else []
    return [*marks, "in force in this session"] if version == here != everybody else marks


def _times_of(times: _Times, version: PolicyVersion | None) -> _Times:
    """When it was in force for everybody; of the files of the project, when they were again."""
    return tuple(each for each in times if each.version_id == (version.id if version else None))


def _split(times: _Times) -> tuple[_Times, _Times]:
    """The latest, which are read at a glance, and the rest, which is opened."""
    return times[:_TIMES_SHOWN], times[_TIMES_SHOWN:]


def _counts(version: PolicyVersion) -> str:
    evidence = version.evidence
    if not evidence:
        return "Without evidence: what it fixes and breaks was not looked at here."
    told = ", ".join(f"{kind} {len(evidence.get(kind) or ()):,}" for kind in ("fixed", "broken", "changed"))
    told = f"{told.capitalize()}{', mends its message' if evidence.get('message') else ''}"
    known = f"{evidence.get('run', 0):,} of {evidence.get('total', 0):,}"
    if evidence.get("complete"):
        return f"{told}; of all messages and conversations {known} could be touched"
    return f"{told}; saved when {known} had been looked at, and not all that it may touch"


def _begin(version: PolicyVersion) -> None:
    begin_from(version.domain, version.language, version, chosen=True)
    put_value("view", "edit")


def export_version(version: PolicyVersion) -> bytes:
    with load_database().read() as session:
        texts = read_files(session, version)
    about = {
        "sequence": version.sequence,
        "digest": version.digest,
        "parent": version.parent,
        "author": version.author,
        "note": version.note,
        "reason": version.reason,
        "created_at": version.created_at.isoformat(),
        "evidence": version.evidence,
    }
    return write_archive(version.domain, version.language, texts, about)


def _render_comparison(versions: tuple[PolicyVersion, ...]) -> None:
    st.subheader("Compare two", anchor=False)
    names = {version.id: f"{version.sequence}: {version.note or version.name}" for version in versions}
    by_id = {version.id: version for version in versions}
    left, right = st.columns(2)
    options = ["", *names]
    first = left.selectbox("From", options, format_func=lambda each: names.get(each, "The project’s files"))
    second = right.selectbox("To", options, index=1, format_func=lambda each: names.get(each, "The project’s files"))
    with load_database().read() as session:
        told = compare_versions(session, by_id.get(first or ""), by_id.get(second or ""))
    if told:
        st.code(told, language="diff", wrap_lines=True, height=320)
    else:
        st.caption("They are the same.")
