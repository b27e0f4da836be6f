"""The messages under the figures of a bulk run: found in its Parquet files page by page, each on its way to Inspect."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from db.users import User
from evals.bulk.folder import RunFolder
from evals.bulk.looking import FoundMessage, MessageFilter, count_messages, find_messages, has_duckdb
from ui.address_controls import render_paging
from ui.bulk.messages import messages_html
from ui.bulk.reading import ListedBulkRun
from ui.bulk.words import INSTALL
from ui.state.policy import session_in_link


def inspect_link(user: User, run: ListedBulkRun, found: FoundMessage) -> str:
    about = {"turn": f"bulk:{run.id}:{found.shard}:{found.row}", "user": user.handle, **session_in_link()}
    return f"/inspect?{urlencode(about)}"


def render_table(user: User, run: ListedBulkRun, wanted: MessageFilter) -> None:
    if not has_duckdb():
        st.info(f"To page through the messages, install what bulk runs need: `{INSTALL}`.", icon=":material/download:")
        return
    total = _count(str(run.folder.path), run.state.shards, wanted)
    if not total:
        st.info("No message fits these filters.", icon=":material/filter_alt_off:")
        return
    table = st.container()
    limit, offset = render_paging(total)
    found = find_messages(run.folder, wanted, limit=limit, offset=offset)
    with table:
        st.html(messages_html(run.plan.names, found, lambda each: inspect_link(user, run, each)))


@lru_cache(maxsize=64)
def _count(path: str, _shards: int, wanted: MessageFilter) -> int:
    """Once for each filter: to count ten million takes longer than to find a page of them."""
    return count_messages(RunFolder(Path(path)), wanted)
