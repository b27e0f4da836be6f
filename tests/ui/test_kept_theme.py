"""The theme is sent as Streamlit would put it together, and put together once."""

from __future__ import annotations

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from ui.kept_theme import keep_theme

SECTIONS = {
    "theme": (),
    "theme.light": ("light",),
    "theme.dark": ("dark",),
    "theme.sidebar": ("sidebar",),
    "theme.light.sidebar": ("light", "sidebar"),
    "theme.dark.sidebar": ("dark", "sidebar"),
}


def make_theme() -> CustomThemeConfig:
    """In the order in which Streamlit asks."""
    theme = CustomThemeConfig()
    for section, way in SECTIONS.items():
        part = theme
        for name in way:
            part = getattr(part, name)
        app_session._populate_theme_msg(part, section)
    return theme


def test_it_is_the_same_and_the_settings_are_read_once_until_they_are_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = make_theme().SerializeToString(deterministic=True)
    assert expected
    read: list[str] = []
    ask = config.get_options_for_section

    def count(section: str) -> dict[str, object]:
        read.append(section)
        return ask(section)

    monkeypatch.setattr(app_session, "_populate_theme_msg", app_session._populate_theme_msg)  # put back afterwards
    monkeypatch.setattr(config, "get_options_for_section", count)
    keep_theme()
    assert [make_theme().SerializeToString(deterministic=True) for _ in range(3)] == [expected] * 3
    assert sorted(read) == sorted(SECTIONS)
    config._on_config_parsed.send()
    make_theme()
    assert len(read) == 2 * len(SECTIONS)
