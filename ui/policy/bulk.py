"""“Replay under this draft” for big files: the messages of whole logs, in a process of its own, opened on History."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from db.roles import require
from domains.loading import load_domain
from evals.bulk.files import is_message_file
from settings import bulk_logs, bulk_runs
from ui.bulk.starting import start_command
from ui.inner_link import render_inner_link
from ui.policy.desk import Desk
from ui.resources import load_database
from ui.state.fields import put_value, read_value

_FILES, _STARTED = "policy_bulk_files", "policy_bulk_started"
_MOST_LISTED = 200


def render_bulk_replay(desk: Desk) -> None:
    """Only for tasks and domains like them: machines have a reading of their own."""
    if load_domain(desk.domain).conduct:
        return
    with st.popover("Replay big files", icon=":material/database:", type="tertiary"):
        st.caption(
            "Decides the messages of whole logs under this draft and under what it was made from, in a process of its "
            "own, and keeps what changes. For millions of messages; a cluster does the same from the terminal."
        )
        found = list_logs()
        if not found:
            st.info(f"Put JSON Lines or Parquet files into `{_shown(bulk_logs())}`.", icon=":material/folder_open:")
            return
        chosen = st.multiselect(
            "Files", list(found), format_func=lambda name: found[name], key=_FILES, placeholder="Choose files"
        )
        st.button(
            "Replay under this draft",
            type="primary",
            icon=":material/replay:",
            disabled=not chosen,
            on_click=start_replay,
            args=(desk,),
        )
        started = read_value(_STARTED)
        if started:
            address = urlencode({"view": "bulk", "run": started})
            render_inner_link("See on History what changes", f"/history?{address}", before="Started.")


def list_logs() -> dict[str, str]:
    """The files that may be replayed, by their names in the folder, each with its size. Nothing outside is offered."""
    place = bulk_logs()
    inside = sorted(place.rglob("*")) if place.is_dir() else []
    files = [path for path in inside if path.is_file() and is_message_file(path)]
    return {
        path.relative_to(place).as_posix(): f"{path.relative_to(place).as_posix()} · {_size(path)}"
        for path in files[:_MOST_LISTED]
    }


def start_replay(desk: Desk) -> None:
    """Both policies are written into the run's folder: what the draft is by then does not matter."""
    require(load_database().role, "maintainer")  # a run lies in a folder, and is everybody's
    known = list_logs()
    names = [name for name in read_value(_FILES) or () if name in known]
    if not names:
        return
    run_id = f"{datetime.now():%Y-%m-%d-%H%M%S}-{desk.draft.digest}"  # noqa: DTZ005 - a name that people read
    folder = bulk_runs() / run_id
    draft, base = (folder / "policies" / side / desk.language for side in ("draft", "before"))
    write_policy(draft, dict(desk.draft.after))
    write_policy(base, dict(desk.draft.before))
    arguments = ["--data", *(str(bulk_logs() / name) for name in names), "--policy", str(draft), "--against", str(base),
                 "--policy-name", "draft", "--against-name", _name_base(desk), "--domain", desk.domain,
                 "--out", str(folder), "--name", ", ".join(names[:3])]  # fmt: skip
    start_command(folder, arguments)
    put_value(_STARTED, run_id)


def write_policy(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def _name_base(desk: Desk) -> str:
    return f"version {desk.version.sequence}" if desk.version else "the project's files"


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB"


def _shown(path: Path) -> str:
    return "/".join(path.parts[-3:])
