"""The least that a chat in Streamlit can be: what was said, and an echo. The yardstick for `benchmarks.chat`."""

import streamlit as st

said = st.session_state.setdefault("said", [])
text = st.chat_input("Say something")
if text:
    said.append(text)
for each in said[-20:]:
    st.html(f'<div class="tl-said">{each}</div><div class="tl-lane tl-engine">echo of {each}</div>')
