"""HTML from templates, which escape everything that is put into them. No page writes mark-up of its own.

A template stands beside the code that draws with it: `ui/turns/said.html.j2` beside `ui/turns/said.py`. Code decides
what is shown and hands it over as small values; a macro of the template says how it looks. No streamlit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from engine.text.visible import show_controls
from ui.call_words import name_argument, name_tool, show_day

_LINE_BREAK = re.compile(r"\s*\n\s*")
_FIGURE = re.compile(r"[-+–$]?[\d,.]+(?:%| ?[a-z]{1,2})?")
_ENDING = "html.j2"
_LONG, _HEAD = 420, 240
_MANY_LINES, _HEAD_LINES = 12, 6


class _JoinedLines(Extension):
    """Line breaks and indents of a template are for its reader: between two words of a sentence they would be a gap,
    and in a text that keeps its spaces a line. A space that is to be seen stands inside a line."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        for token in stream:
            is_text = token.type == "data"
            yield Token(token.lineno, token.type, _LINE_BREAK.sub("", token.value)) if is_text else token


def _with_breaks(text: object) -> Markup:
    """Lines of a text under each other."""
    return escape(_shown(text)).replace("\n", Markup("<br>"))


def _head(text: object) -> str | None:
    """How a long text begins, whole words of it; None: it is not long."""
    said = str(text)
    lines = said.split("\n")
    if len(said) <= _LONG and len(lines) <= _MANY_LINES:
        return None
    begun = "\n".join(lines[:_HEAD_LINES])[:_HEAD]
    return begun.rpartition(" ")[0] if len(begun) == _HEAD and " " in begun[_HEAD // 2 :] else begun


def _breakable(name: object) -> Markup:
    """A name that may break after its underscores, where a narrow column needs it."""
    return escape(_shown(name)).replace("_", Markup("_<wbr>"))


def _is_figure(cell: object) -> bool:
    """Digits, perhaps with a unit: “1,754”, “2.39%”, “$0.02”. A range such as “0.45 to 0.50” is none."""
    return bool(_FIGURE.fullmatch(str(cell)))


def _shown(value: object) -> object:
    """What turns the order of words around is shown as a mark, wherever a text of somebody's is drawn."""
    return show_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


_environment = Environment(
    finalize=_shown,
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    auto_reload=False,
    cache_size=-1,
    extensions=[_JoinedLines],
)
_environment.filters["with_breaks"] = _with_breaks
_environment.filters["breakable"] = _breakable
_environment.filters["head"] = _head
_environment.filters["is_figure"] = _is_figure
_environment.filters["tool"] = name_tool
_environment.filters["argument"] = name_argument
_environment.filters["day"] = show_day


def draw(template: str, macro: str, *values: object) -> str:
    """What a macro of a template makes of these values: `draw("turns/said", "said", said)`."""
    return str(draw_part(template, macro, *values))


def draw_part(template: str, macro: str, *values: object) -> str:
    """The same, as what another template takes in as it is: everything in it is escaped already. Any other text would
    be escaped there."""
    drawn: Markup = getattr(_environment.get_template(f"{template}.{_ENDING}").module, macro)(*values)
    return drawn


def compile_all() -> None:
    """Read every template now: the first page drawn does not wait for it."""
    for name in _environment.list_templates(filter_func=lambda name: name.endswith(_ENDING)):
        _environment.get_template(name)
