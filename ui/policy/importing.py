"""A version from a file: one that was exported here or elsewhere, checked before it is kept."""

from __future__ import annotations

import streamlit as st

from db.failures import ToolFailure
from db.policies.versions import NewVersion, PolicyVersion, latest_sequence, save_version
from db.users import User
from domains.drafts import load_texts, read_texts
from engine.editing.archive import read_archive
from engine.editing.texts import write_diff
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from ui.policy.actions import tell
from ui.resources import load_database
from ui.state.fields import put_value, read_value

_KEY, _IMPORTED = "policy_import", "policy_imported"


def render_import(user: User, domain: str, language: str) -> None:
    # Another number for every import: so it closes, and its file is not offered to be kept once more.
    number = read_value(_IMPORTED) or 0
    with st.popover("Import", icon=":material/upload_file:", key=f"{_KEY}-{number}"):
        st.caption("A zip that was exported here or elsewhere. It becomes a version, in force for nobody yet.")
        file = st.file_uploader(
            "Exported version", type="zip", key=f"{_KEY}-file-{number}", label_visibility="collapsed"
        )
        if file and st.button("Keep as a version", type="primary", icon=":material/save:"):
            try:
                version = import_version(user, domain, language, file.getvalue())
            except (EditError, PolicyError, ToolFailure) as error:
                tell(f"It was not imported: {error}.", failed=True)
            else:
                tell(f"Imported as version {version.sequence} ({version.name}); nobody decides by it yet.")
            put_value(_IMPORTED, number + 1)
            st.rerun()


def import_version(user: User, domain: str, language: str, content: bytes) -> PolicyVersion:
    """EditError and PolicyError say what is wrong with it; nothing is kept then."""
    named, spoken, texts, about = read_archive(content)
    if (named, spoken) != (domain, language):
        raise EditError(f"it is of {named} {spoken}, not of {domain} {language}")
    policy = load_texts(domain, language, texts)
    with load_database().write() as session:
        new = NewVersion(
            domain=domain,
            language=language,
            digest=policy.digest,
            parent=str(about.get("parent", "")),
            files=texts,
            author=user.name,
            note=f"Imported: {about.get('note') or about.get('digest') or 'a file'}",
            diff=write_diff(read_texts(domain, language), texts),
        )
        return save_version(session, new, since=latest_sequence(session, domain, language))
