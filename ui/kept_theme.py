"""The theme that goes to the browser with every run of a page is put together once, not with every run.

Streamlit reads some hundred settings anew for it, six times a run, also where a page only looks whether something has
changed: a millisecond of the event loop, which all sessions share. `tests/ui/test_kept_theme.py` holds what this relies
on.
"""

from __future__ import annotations

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_put_together = app_session._populate_theme_msg
_kept: dict[str, CustomThemeConfig] = {}
"""By section of the configuration."""


def keep_theme() -> None:
    """Called once, as the server starts. A configuration that is edited is read anew."""
    config.on_config_parsed(_kept.clear, force_connect=True)
    _kept.clear()
    app_session._populate_theme_msg = _copy_theme


def _copy_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    kept = _kept.get(section)
    if kept is None:
        kept = CustomThemeConfig()
        _put_together(kept, section)
        _kept[section] = kept
    if kept.ByteSize():  # a section that says nothing is not there, rather than there and empty
        msg.MergeFrom(kept)
