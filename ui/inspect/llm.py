"""The LLM's side of the same message: asked only when somebody presses the button."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any, NamedTuple

import streamlit as st

from domains.loading import load_domain
from engine.border.json_form import to_json
from engine.decision import Context
from llm.trace import LLMTrace, LLMTurn
from settings import load_settings
from ui import lanes
from ui.counting import count_of
from ui.given.message import InspectInput
from ui.inspect.words import ACTION_NAMES, REASON_SENTENCES
from ui.markdown import verbatim
from ui.state.inspect import keep_llm_side, read_llm_side
from ui.turns.composer import composer_html
from ui.turns.headline import headline
from ui.words import name_intent

_HIDDEN = "[key]"
_LOGIN = re.compile(r"//[^/@]*@")
"""A name and a password inside an address."""


class AskedModel(NamedTuple):
    """An answer with the question that it belongs to."""

    given: InspectInput
    turn: LLMTurn


def render_llm_side(given: InspectInput, context: Context) -> None:
    st.markdown("### 9 · The LLM on the same message")
    place = st.empty()
    asked: AskedModel | None = read_llm_side()
    current = asked is not None and asked.given == given
    label = "Ask again" if current else "Ask the LLM"
    help_text = "Sends the message, the conversation and the tools to the model of the settings."
    if st.button(label, icon=":material/neurology:", key="ask_llm", help=help_text):
        keep_llm_side(_ask(given, context))
        st.rerun()
    if asked is None:
        place.caption("Nothing was sent yet. The model is asked only when you press the button.")
    elif not current:
        place.caption("The answer that was here belonged to another message or context.")
    else:
        with place.container():
            _render_turn(asked.turn, context)


def _ask(given: InspectInput, context: Context) -> AskedModel:
    with st.status("Asking the model …", expanded=True) as progress:
        heard = st.empty()
        pieces: list[str] = []

        def show(piece: str) -> None:
            pieces.append(piece)
            heard.code("".join(pieces), language=None, wrap_lines=True)

        turn = lanes.domain_llm(load_domain(given.domain)).ask(given.text, context, on_text=show)
        failed = turn.trace.outcome == "failed"
        progress.update(label=f"{turn.trace.total_ms:,.0f} ms", state="error" if failed else "complete", expanded=False)
    return AskedModel(given, turn)


def _render_turn(turn: LLMTurn, context: Context) -> None:
    decision, trace = turn.decision, turn.trace
    if trace.outcome == "failed":
        st.error(verbatim(trace.problem), icon=":material/cloud_off:")
    else:
        st.markdown(
            f"**{ACTION_NAMES[decision.action]}**, as “{name_intent(decision.intent)}”: "
            f"{verbatim(headline(decision, context))}. {REASON_SENTENCES[decision.reason]} {_sure(turn)}"
        )
        if trace.problem:
            st.warning(verbatim(trace.problem), icon=":material/warning:")
        if decision.message:
            st.markdown(f"> {verbatim(decision.message)}")
    if trace.composer:
        st.html(composer_html([asdict(note) for note in trace.composer], _titles(trace, context)))
    st.caption(verbatim(_figures(trace)))
    request, answer, parsed = st.columns(3)
    with request, st.popover("Exact request", icon=":material/upload:", width="stretch"):
        st.code(without_key(json.dumps(dict(trace.request), ensure_ascii=False, indent=1)), "json", height=420)
    with answer, st.popover("Raw answer", icon=":material/download:", width="stretch"):
        st.code(without_key(raw_answer(trace)), None, wrap_lines=True, height=420)
    with parsed, st.popover("Parsed calls", icon=":material/function:", width="stretch"):
        calls = [to_json(call) for call in decision.calls or (_waiting(turn) if decision.pending else ())]
        st.code(json.dumps(calls, ensure_ascii=False, indent=1, default=str), "json", height=420)


def _titles(trace: LLMTrace, context: Context) -> dict[str, str]:
    """Tasks by their titles instead of their ids."""
    ids = [str(value) for note in trace.composer for value in (*note.before.values(), *note.after.values())]
    return {task.id: task.title for each in ids if (task := context.tasks.find_by_id(each))}


def _waiting(turn: LLMTurn) -> tuple[Any, ...]:
    return (turn.decision.pending.call,) if turn.decision.pending else ()


def _sure(turn: LLMTurn) -> str:
    if turn.decision.confidence is None:
        return "It states no confidence."
    return f"{turn.decision.confidence:.2f} sure ({turn.trace.confidence_source})."


def _figures(trace: LLMTrace) -> str:
    answer = trace.answer
    endpoint = _LOGIN.sub("//", trace.endpoint)
    parts = [f"{trace.model} at {endpoint}" if trace.model else "no model", f"{trace.total_ms:,.0f} ms"]
    if answer.prompt_tokens is not None:
        parts.append(f"{count_of(answer.prompt_tokens, 'token')} read, {answer.answer_tokens or 0:,} written")
    if answer.log_probabilities:
        lowest = min(answer.log_probabilities)
        parts.append(f"log-probability of the least likely token {lowest:.2f}, of {len(answer.log_probabilities)}")
    parts += [f"before: {sentence}" for sentence in trace.attempts]
    return ", ".join(parts) + "."


def raw_answer(trace: LLMTrace) -> str:
    calls = [f"{call.name} {call.arguments}" for call in trace.answer.calls]
    broken = [f"broken: {call.name} {call.arguments}: {call.message}" for call in trace.broken]
    return "\n".join(filter(None, [trace.answer.text, *calls, *broken])) or "(nothing)"


def without_key(text: str) -> str:
    """The request never holds the key; if a message or an address should, it is not shown either."""
    for key in (load_settings().openai_api_key.get_secret_value(), lanes.current_endpoint().key):
        text = text.replace(key, _HIDDEN) if key else text
    return text
