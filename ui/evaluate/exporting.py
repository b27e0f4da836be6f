"""A run as a file to send around: made when it is asked for, not before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from db.evaluation.run_values import KeptRun
from db.users import User
from evals.evaluate.exports import RunReport, gather, write_csv, write_html, write_json, write_markdown
from ui.resources import load_database

_FORMS: dict[str, tuple[str, Callable[[RunReport], str | bytes], str, str]] = {
    "html": ("One page (HTML)", write_html, "text/html", "Self-contained: opens offline, light and dark."),
    "md": ("Markdown", write_markdown, "text/markdown", "For a pull request."),
    "csv": ("CSV", write_csv, "text/csv", "One line a case; no cell runs as a formula."),
    "json": ("JSON", write_json, "application/json", "Everything; also the baseline of `python -m evals gate`."),
}


def render_exports(user: User, run: KeptRun, runs: Sequence[KeptRun]) -> None:
    baseline = next(
        (each for each in runs if each.is_baseline and each.domain == run.domain and each.id != run.id), None
    )
    with st.popover("Export", icon=":material/download:"):
        if baseline:
            st.caption("Held against the baseline, where the form has room for it.")
        for ending, (label, write, mime, hint) in _FORMS.items():
            st.download_button(
                label,
                data=partial(export_run, user, run.id, baseline.id if baseline else None, write),
                file_name=f"evaluation-{run.created_at:%Y%m%d-%H%M}.{ending}",
                mime=mime,
                on_click="ignore",
                key=f"export-{ending}",
                icon=":material/download:",
                width="stretch",
                help=hint,
            )


def export_run(user: User, run_id: str, baseline: str | None, write: Callable[[RunReport], str | bytes]) -> str | bytes:
    with load_database().read() as session:
        report = gather(session, user.id, run_id, baseline=baseline)
    return write(report) if report else ""
