"""Whether a call could be carried out: the fifth step of Inspect."""

from __future__ import annotations

import streamlit as st

from domains.catalogues import find_facts, load_all_tools
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.explaining.anatomy import RequestAnatomy
from engine.values import ToolCall
from ui.call_words import name_argument, name_tool
from ui.markdown import verbatim


def render_validation(request: RequestAnatomy) -> None:
    st.markdown("### 5 · Is the call sound")
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    if call is None or not call.tool_name:
        st.caption("There is no call to check.")
        return
    problem = find_problem(call)
    asked = outcome.pending.parameter if outcome.pending else None
    waits = " That is what it asks for." if asked else ""
    if problem:
        st.markdown(
            f":material/close: **{name_tool(call.tool_name)}** is not complete: {verbatim(problem)}{verbatim(waits)}",
            help=call.tool_name,
        )
    else:
        st.markdown(
            f":material/check: **{name_tool(call.tool_name)}** has all it needs, and every value is of its kind.",
            help=call.tool_name,
        )


def find_problem(call: ToolCall) -> str:
    """Why the tool would refuse the call; empty when it would not."""
    try:
        check_arguments(call.tool_name, call.parameters, load_all_tools())
    except BadArgumentsError as error:
        return _in_words(error.message)
    facts = find_facts(call.tool_name)
    missing = [group for group in facts.one_of if not any(name in call.parameters for name in group)] if facts else []
    named = (" or ".join(f"the {name_argument(name)}" for name in group) for group in missing)
    return f"It needs {', and '.join(named)}." if missing else ""


def _in_words(problem: str) -> str:
    """What a tool says of its arguments names them as the code does."""
    tools = {name: f"“{name_tool(name)}”" for name in load_all_tools()}
    names = {
        name: name_argument(name) for tool in load_all_tools().values() for name in tool.input_schema["properties"]
    }
    known = {**{f"'{name}'": f"the {words}" for name, words in names.items()}, **tools}
    for name in sorted(known, key=len, reverse=True):
        problem = problem.replace(name, known[name])
    return problem
