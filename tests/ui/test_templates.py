"""Templates escape whatever is put into them, and nobody goes round them."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from ui.templates import compile_all, draw
from ui.turns.said import ListedView, SaidView, said_html

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")])
HOSTILE = """<script>alert("x")</script> & '>"""


def test_hostile_words_are_shown_as_they_are() -> None:
    listed = ListedView(1, HOSTILE, HOSTILE, False)
    html = said_html(SaidView(HOSTILE, HOSTILE, HOSTILE, False, ((listed,),), HOSTILE))
    assert "<script" not in html
    assert html.count("&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; &#39;&gt;") == 6


def test_lines_of_a_message_stand_under_each_other() -> None:
    html = said_html(SaidView("t", "one <b>\ntwo", "", False))
    assert "one &lt;b&gt;<br>two" in html


def test_line_breaks_of_a_template_are_not_seen() -> None:
    html = said_html(SaidView("t", "hello", "done", True))
    assert "\n" not in html
    assert '<span class="tl-who">You</span>hello</div>' in html
    assert 'done <span class="tl-chip">undone</span></div>' in html


def test_a_value_that_is_missing_is_an_error_and_no_gap() -> None:
    with pytest.raises(UndefinedError):
        draw("turns/said", "said", object())


def test_every_template_can_be_read() -> None:
    compile_all()


def test_no_template_marks_a_value_as_safe() -> None:
    for path in (ROOT / "ui").rglob("*.html.j2"):
        text = path.read_text(encoding="utf-8")
        assert "safe" not in text, path.name
        assert "autoescape" not in text, path.name


MARK_UP = ("Markup", "escape(", "</div>", "</span>", "</p>", "</td>", 'class="', "class='")


def test_mark_up_stands_in_templates_only() -> None:
    """Charts take bold labels, as plotly has them; anything else would be HTML past the templates."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES if path.name != "templates.py"}
    assert len(texts) > 100
    assert [(str(path), mark) for path, text in texts.items() for mark in MARK_UP if mark in text] == []
