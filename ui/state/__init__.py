"""The only place that names `st.session_state`: what a browser session remembers between runs, a file a subject."""
