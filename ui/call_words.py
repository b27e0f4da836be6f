"""Calls in people's words: tools, arguments and values as every page names them; the code's name is for a hint.
No streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache

from domains.catalogues import find_facts
from domains.loading import list_domains, load_domain
from ui.words import name_one

_CODE = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")
_OWN_WORDS = ("name", "note", "search", "words")
"""How arguments are read whose values are somebody's own words: they stay as they are."""
_DAYS = ("date", "day_filter")
_OF_STATES = ("status", "state_filter")
_STATES = {"pending": "open", "completed": "done"}
"""What every page calls them."""
_BETWEEN = "/"


def name_tool(tool_name: object) -> str:
    """ "Add a task" for `add_task`; several joined by "+" each by their name."""
    return " + ".join(_name_tool(part) for part in str(tool_name).split(" + "))


def _name_tool(tool_name: str) -> str:
    facts = find_facts(tool_name)
    return facts.label if facts else tool_name.replace("_", " ")


def name_argument(argument: object) -> str:
    """ "task" for `task_identifier`, "new due date" for `new_due_date`."""
    name = str(argument)
    return _targets().get(name) or name.removesuffix("_id").replace("_", " ")


@cache
def _targets() -> Mapping[str, str]:
    """The arguments that name what a tool acts on, by what that is."""
    return {
        facts.target: name_one(domain)
        for domain in list_domains()
        for facts in load_domain(domain).catalogue.tools
        if facts.target
    }


def show_value(tool_name: str, argument: str, value: object, titles: Mapping[str, str] | None = None) -> str:
    """A value as people write it: a day by its name, a thing by its title, a code without its underscores, several of
    them one after the other."""
    if isinstance(value, list | tuple):
        return ", ".join(show_value(tool_name, argument, each, titles) for each in value)
    facts = find_facts(tool_name)
    kind = facts.reads.get(argument) if facts else None
    shown = (titles or {}).get(str(value), str(value))
    if kind in _DAYS:
        return show_day(shown)
    if kind in _OF_STATES:
        return _STATES.get(shown, shown)
    return shown if kind in _OWN_WORDS or not _CODE.fullmatch(shown) else shown.replace("_", " ")


def show_day(value: object) -> str:
    """ "Fri 20 Nov 2026, 17:00" for an ISO day or time; "this week" for `this_week`; anything else as it is."""
    text = str(value)
    if _BETWEEN in text:
        return " to ".join(show_day(part) for part in text.split(_BETWEEN))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text.replace("_", " ") if _CODE.fullmatch(text) else text
    return f"{moment:%a} {moment.day} {moment:%b %Y}" + (f", {moment:%H:%M}" if "T" in text or ":" in text else "")
