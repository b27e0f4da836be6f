"""HTML is told from mere styles by how it begins, as Streamlit tells it by what is left of it."""

from __future__ import annotations

import pytest
from streamlit.elements import html as element
from streamlit.testing.v1 import AppTest

from ui.drawn_html import tell_styles_by_their_beginning

ONLY_STYLES = (
    "<style>a {}</style>", "  \n<STYLE media='print'>a {}</STYLE>\n", "<!-- why --><style>a {}</style>", "", " \n",
    "<style>a {}</style> <!-- <b>no</b> -->",
)  # fmt: skip
MORE = (
    "<p>said</p>", "said", " <div><style>a {}</style></div>", "<style>a {}</style>said", "<!-- why --><p>said</p>",
    "<stylish>", "<style>", "<!-- ", "<", "İ",
)  # fmt: skip


@pytest.mark.parametrize("mended", [True, False], ids=["mended", "streamlit alone"])
def test_what_is_only_styles(mended: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(element, "_html_only_style_tags", element._html_only_style_tags)  # put back afterwards
    if mended:
        tell_styles_by_their_beginning()
    assert [each for each in (*ONLY_STYLES, *MORE) if element._html_only_style_tags(each)] == list(ONLY_STYLES)


def page() -> None:
    import streamlit as st

    from ui.drawn_html import render_html

    render_html("<p>said</p>")
    st.html("<style>a {}</style>")


def test_streamlit_asks_what_stands_in_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should it ask nothing any more, it has mended it: this can go."""
    asked: list[str] = []
    tell = element._html_only_style_tags
    monkeypatch.setattr(element, "_html_only_style_tags", lambda html: asked.append(html) or tell(html))
    shown = AppTest.from_function(page).run()
    assert not shown.exception
    assert asked == ["<p>said</p>", "<style>a {}</style>"]
