"""Every version of a policy: what it changed, what was known of it, who has it; put in force, rolled back, exported."""

from __future__ import annotations

import streamlit as st

from db.policies.versions import PolicyVersion, compare_versions, list_versions, read_files
from db.users import User
from engine.editing.archive import write_archive
from ui.notices import render_notice
from ui.policy.actions import DRAFT_PLACE, go_back, put_in_force
from ui.policy.desk import begin_from, find_in_force
from ui.policy.importing import render_import
from ui.resources import load_database
from ui.state.fields import put_value
from ui.templates import draw

_SHOWN = 20


def render_versions(user: User, domain: str, language: str) -> None:
    with load_database().read() as session:
        versions = list_versions(session, domain, language)
    everybody, here = find_in_force(domain, language, everybody=True), find_in_force(domain, language)
    render_notice(DRAFT_PLACE)
    with st.container(horizontal=True):
        st.button(
            "Roll back",
            icon=":material/undo:",
            on_click=go_back,
            args=(user, domain, language),
            disabled=everybody is None,
            help="Puts back for everybody what was in force before; twice goes back two versions.",
        )
        render_import(user, domain, language)
    if not versions:
        st.info(
            "No version was saved yet: the project’s files decide. **Fix a message** leads to the first one.",
            icon=":material/history:",
        )
        return
    for version in versions[:_SHOWN]:
        _render_one(user, version, everybody, here)
    if len(versions) > _SHOWN:
        st.caption(f"The latest {_SHOWN} of {len(versions):,}; the others can be compared below.")
    _render_files(user, domain, language, everybody, here)
    _render_comparison(versions)


def _render_one(
    user: User, version: PolicyVersion, everybody: PolicyVersion | None, here: PolicyVersion | None
) -> None:
    with st.container(border=True, gap="xsmall"):
        st.html(draw("policy/versions", "version", version, _marks(version, everybody, here), _counts(version)))
        with st.container(horizontal=True, vertical_alignment="center"):
            _render_activation(user, version.domain, version.language, version, everybody, here)
            st.button(
                "Draft from it", key=f"from-{version.id}", type="tertiary", icon=":material/edit:",
                on_click=_begin, args=(version,), help="Begins a draft with this version. An open draft is left.",
            )  # fmt: skip
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
        with st.expander("What it changed", icon=":material/difference:"):
            st.code(version.diff or "nothing", language="diff", wrap_lines=True, height=240)


def _render_files(
    user: User, domain: str, language: str, everybody: PolicyVersion | None, here: PolicyVersion | None
) -> None:
    """What there is without any version."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        in_force = " · **in force for everybody**" if everybody is None else ""
        st.markdown(f"The project’s files{in_force}", width="stretch")
        _render_activation(user, domain, language, None, everybody, here)


def _render_activation(
    user: User,
    domain: str,
    language: str,
    version: PolicyVersion | None,
    everybody: PolicyVersion | None,
    here: PolicyVersion | None,
) -> None:
    key = version.id if version else "files"
    st.button(
        "For everybody", key=f"all-{key}", icon=":material/group:", disabled=version == everybody,
        on_click=put_in_force, args=(user, domain, language, version), kwargs={"for_session": False},
        help="Decides from everybody's next message on.",
    )  # fmt: skip
    label = "Only this session" if version else "As everybody, in this session"
    st.button(
        label, key=f"here-{key}", icon=":material/person:", disabled=here == (version or everybody),
        on_click=put_in_force, args=(user, domain, language, version), kwargs={"for_session": True},
        help="Decides in Chat, Inspect and Compare of this session.",
    )  # fmt: skip


def _marks(version: PolicyVersion, everybody: PolicyVersion | None, here: PolicyVersion | None) -> list[str]:
    marks = ["in force for everybody"] if version == everybody else []
    return [*marks, "in force in this session"] if version == here != everybody else marks


def _counts(version: PolicyVersion) -> str:
    evidence = version.evidence
    if not evidence:
        return "no evidence was kept"
    told = ", ".join(f"{kind} {len(evidence.get(kind) or ())}" for kind in ("fixed", "broken", "changed"))
    told += ", mends its message" if evidence.get("message") else ""
    looked = f"{evidence.get('run', 0):,} of {evidence.get('total', 0):,} run again"
    return f"{told}; {looked}{'' if evidence.get('complete') else ', not all were looked at'}"


def _begin(version: PolicyVersion) -> None:
    begin_from(version.domain, version.language, version)
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
