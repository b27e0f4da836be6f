"""Demo: scenarios that play themselves through both lanes, with the score of each lane at the end."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.demo.controls import render_controls
from ui.demo.run import find_run
from ui.demo.show import render_show
from ui.demo.start import render_start
from ui.people import get_user
from ui.state.demo import is_projected, read_run_id, show_run

for sheet in ("machines.css", "demo.css", *(["projector.css"] if is_projected() else [])):
    st.html(Path(__file__).parent.parent / "assets" / sheet)
get_user()  # whoever follows a link to somebody unknown is told so, as on every page
run = find_run(read_run_id())
if run:
    render_controls(run)
    render_show(run)
else:
    show_run(None)
    render_start()
