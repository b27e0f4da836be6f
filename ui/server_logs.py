"""The server's own log lines in the form that the settings ask for."""

from __future__ import annotations

import logging

from streamlit import logger as streamlit_logger

from settings import load_settings
from telemetry.logs import JsonLines, write_json_lines

ROOMS = ("assistant", "db", "domains", "engine", "evals", "llm", "mcp_door", "telemetry", "ui")


def set_up_logs() -> None:
    """Text as it comes, or JSON lines. Streamlit gives each logger of its own a handler with a format of its own, the
    web server's among them, so that its maker of handlers is replaced (`tests/telemetry/test_logs.py` holds it)."""
    if load_settings().log_format != "json":
        return
    write_json_lines(ROOMS)
    streamlit_logger.setup_formatter = _as_json_lines
    streamlit_logger.update_formatter()


def _as_json_lines(logger: logging.Logger) -> None:
    for handler in tuple(logger.handlers):
        logger.removeHandler(handler)
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
