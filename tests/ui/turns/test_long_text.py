"""Long messages are folded wherever they are shown: they begin, and open to all of it."""

from __future__ import annotations

from ui.turns.said import SaidView, said_html

LONG = "remind me to " + "call the notary about the fence " * 30


def show(text: str) -> str:
    return said_html(SaidView("t", text, "Done.", undone=False))


def test_a_long_message_is_folded_at_a_word_and_whole_inside() -> None:
    html = show(LONG)
    head = html[html.index('tl-head">') + 9 : html.index(" …</span>")]
    assert LONG.startswith(f"{head} ")
    assert 120 < len(head) <= 240
    assert LONG in html
    assert "<details" in show("line\n" * 13)


def test_a_short_message_stays_as_it_is_and_none_becomes_mark_up() -> None:
    assert "<details" not in show("buy milk")
    assert "<b>" not in show("<b>" * 300)
