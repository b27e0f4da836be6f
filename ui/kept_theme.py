"""What the browser is told with every run of a page about theme and settings is put together once, not with every run.

Streamlit reads some hundred settings anew for it, seven times a run, also where a page only looks whether something has
changed: more than a millisecond of the event loop, which all sessions share. `tests/ui/test_kept_theme.py` holds what
this relies on.
"""

from __future__ import annotations

from streamlit import config
from streamlit.proto.NewSession_pb2 import Config, CustomThemeConfig
from streamlit.runtime import app_session

_put_together = app_session._populate_theme_msg
_put_settings_together = app_session._populate_config_msg
_kept: dict[str, CustomThemeConfig] = {}
"""By section of the configuration."""
_settings: list[Config] = []
"""One, once they were put together."""


def keep_theme() -> None:
    """Called once, as the server starts. A configuration that is edited is read anew."""
    config.on_config_parsed(_forget, force_connect=True)
    _forget()
    app_session._populate_theme_msg = _copy_theme
    app_session._populate_config_msg = _copy_settings


def _forget() -> None:
    _kept.clear()
    _settings.clear()


def _copy_theme(msg: CustomThemeConfig, section: str = "theme") -> None:
    kept = _kept.get(section)
    if kept is None:
        kept = CustomThemeConfig()
        _put_together(kept, section)
        _kept[section] = kept
    if kept.ByteSize():  # a section that says nothing is not there, rather than there and empty
        msg.MergeFrom(kept)


def _copy_settings(msg: Config) -> None:
    if not _settings:
        put_together = Config()
        _put_settings_together(put_together)
        _settings.append(put_together)
    msg.MergeFrom(_settings[0])
