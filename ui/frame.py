"""What stands around every page: the wordmark, the navigation and the person who uses it. No logic."""

from __future__ import annotations

from pathlib import Path

from ui.search_path import leave_out

# While this script runs, Streamlit has its folder first in the search path: there `settings` is a page's folder.
leave_out(Path(__file__).absolute().parent)

import streamlit as st  # noqa: E402 - the search path is mended first
from streamlit.navigation.page import StreamlitPage  # noqa: E402

from domains.loading import list_domains, load_domain  # noqa: E402
from ui.domain.page import render_domain  # noqa: E402
from ui.gone_fragments import forgetting_gone_fragments  # noqa: E402
from ui.identity import is_login_on  # noqa: E402
from ui.login_page import render_login  # noqa: E402
from ui.people import render_user_switch  # noqa: E402
from ui.state.policy import show_scope_in_address  # noqa: E402

ROOT = Path(__file__).parent.parent

chat_page = st.Page(ROOT / "pages" / "chat.py", title="Chat", icon=":material/forum:", url_path="chat")
demo_page = st.Page(ROOT / "pages" / "demo.py", title="Demo", icon=":material/theater_comedy:", url_path="demo")
tasks_page = st.Page(ROOT / "pages" / "tasks.py", title="Tasks", icon=":material/checklist:", url_path="tasks")
machines_page = st.Page(
    ROOT / "pages" / "machines.py", title="Machines", icon=":material/kitchen:", url_path="machines"
)
settings_page = st.Page(
    ROOT / "pages" / "settings.py", title="Settings", icon=":material/settings:", url_path="settings"
)
inspect_page = st.Page(
    ROOT / "pages" / "inspect.py", title="Inspect", icon=":material/frame_inspect:", url_path="inspect"
)
compare_page = st.Page(
    ROOT / "pages" / "compare.py", title="Compare", icon=":material/compare_arrows:", url_path="compare"
)
evaluate_page = st.Page(
    ROOT / "pages" / "evaluate.py", title="Evaluate", icon=":material/monitoring:", url_path="evaluate"
)
tools_page = st.Page(ROOT / "pages" / "tools.py", title="Tools", icon=":material/cable:", url_path="tools")
history_page = st.Page(ROOT / "pages" / "history.py", title="History", icon=":material/history:", url_path="history")
policy_page = st.Page(ROOT / "pages" / "policy.py", title="Policy", icon=":material/rule:", url_path="policy")


def make_domain_page(name: str) -> StreamlitPage:
    """For a domain that brings no page of its own."""

    def run() -> None:
        render_domain(name)

    return st.Page(run, title=load_domain(name).label, icon=":material/extension:", url_path=name)


domain_pages = [make_domain_page(name) for name in list_domains() if not (ROOT / "pages" / f"{name}.py").exists()]


def start() -> None:
    # The first page has an address of its own: Streamlit answers "page not found" on the path of a default page.
    st.switch_page(chat_page, query_params=dict(st.query_params))


st.set_page_config(page_icon=str(ROOT / "assets" / "icon.svg"), layout="wide", initial_sidebar_state=230)
st.logo(str(ROOT / "assets" / "wordmark.svg"), size="large", icon_image=str(ROOT / "assets" / "icon.svg"))
start_page = st.Page(start, title="Start", default=True, visibility="hidden")
page = st.navigation(
    [
        start_page,
        chat_page,
        demo_page,
        inspect_page,
        compare_page,
        evaluate_page,
        policy_page,
        history_page,
        tasks_page,
        machines_page,
        *domain_pages,
        tools_page,
        settings_page,
    ]
)
st.set_page_config(page_title=f"{page.title} · Twolane")  # tabs and bookmarks tell the pages apart
st.html(ROOT / "assets" / "style.css")
st.html(ROOT / "assets" / "turns.css")
st.html('<script src="/keys.js"></script>', unsafe_allow_javascript=True)
with forgetting_gone_fragments():
    if is_login_on():
        render_login()
    else:
        render_user_switch()
    show_scope_in_address()
    page.run()
