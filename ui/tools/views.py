"""The views of the Tools page: the registry, the mapping table, the guidance."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import streamlit as st

from db.users import User
from domains.loading import TASKS, load_domain
from engine.catalogue.schemas import Tool
from mcp_door.own_tools import OWN_TOOLS
from mcp_door.shelf import all_tools
from mcp_door.texts import PROMPT, write_guidance, write_prompt
from ui.domain_choice import choose_domain
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import put_value, start_value
from ui.tools.trying import render_trial
from ui.tools.words import EXAMPLES, argument_rows, mapping_rows, nature_of, try_mapping, ways_to

TRY_KEY = "mapping_try"


def render_registry(user: User) -> None:
    tools = all_tools()
    rows = [
        {"Tool": tool.name, "What it does": tool.description, "Effect": nature_of(tool), "Through": ways_to(tool)}
        for tool in tools.values()
    ]
    with st.container(key="registry_table"):
        st.table(pd.DataFrame(rows).set_index("Tool"))
    first = next(iter(tools))
    start_from_address("tool", list(tools), first)
    name = st.pills("Tool", list(tools), key="tool", label_visibility="collapsed", required=True)
    show_in_address("tool", first)
    _render_tool(user, tools[name or first])


def _render_tool(user: User, tool: Tool) -> None:
    st.subheader(tool.name, anchor=False)
    st.markdown(tool.description)
    arguments = argument_rows(tool)
    if arguments:
        with st.container(key="argument_table"):
            st.table(pd.DataFrame(arguments).set_index("Argument"))
    else:
        st.caption("It takes no arguments: the user is known from the session.")
    render_trial(user, tool)
    schemas: dict[str, Any] = {"Arguments": tool.input_schema, "Result": tool.output_schema}
    if tool.name not in OWN_TOOLS:
        schemas["As OpenAI gets it"] = tool.openai
    shown = st.segmented_control("Schema", list(schemas), default="Arguments", key="tool_schema", required=True)
    st.code(json.dumps(schemas.get(shown, tool.input_schema), indent=2), language="json", height=360)


def render_mapping() -> None:
    table, trial = st.columns([2, 3], gap="large")
    with table:
        st.subheader("The table", anchor=False)
        st.table(pd.DataFrame(mapping_rows()).set_index("Intent"))
        st.caption("An exact look-up and nothing more: no guessing, no fuzzy match, no tool outside the registry.")
    with trial:
        st.subheader("Try it", anchor=False)
        start_value(TRY_KEY, EXAMPLES["An intent"])
        with st.container(horizontal=True, gap="small"):
            for label, example in EXAMPLES.items():
                st.button(label, key=f"try_{label}", on_click=put_value, args=(TRY_KEY, example), type="secondary")
        request = st.text_input("Request", key=TRY_KEY, max_chars=500)
        answer, why = try_mapping(request)
        st.code(json.dumps(answer), language="json")
        st.markdown(why)


def render_guidance() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        domain = load_domain(choose_domain("What the model is told about.", labelled=False))
        names = {language: policy.name for language, policy in domain.policies.items()}
        language = st.segmented_control(
            "Language", list(names), format_func=names.__getitem__, default=next(iter(names)), required=True,
            key=f"guidance_language-{domain.name}", label_visibility="collapsed",
        )  # fmt: skip
        whole = st.toggle("As the prompt that sets an assistant up", key="guidance_prompt")
    text = write_prompt(language, domain) if whole else write_guidance(domain, language)
    place = "" if domain.name == TASKS else f"{domain.name}/"
    uri = f"prompt `{PROMPT}`" if whole else f"resource `twolane://guidance/{place}{language}`"
    st.caption(f"Made from the policy and the catalogue; the LLM lane is told the same. Over MCP: {uri}.")
    st.code(text, language="markdown", wrap_lines=True)
