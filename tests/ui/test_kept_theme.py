"""Theme and settings are sent as Streamlit would put them together, and put together once."""

from __future__ import annotations

import pytest
from streamlit import config
from streamlit.proto.NewSession_pb2 import Config, CustomThemeConfig
from streamlit.runtime import app_session

from ui import kept_theme
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

    for name in ("_populate_theme_msg", "_populate_config_msg"):
        monkeypatch.setattr(app_session, name, getattr(app_session, name))  # put back afterwards
    monkeypatch.setattr(config, "get_options_for_section", count)
    keep_theme()
    assert [make_theme().SerializeToString(deterministic=True) for _ in range(3)] == [expected] * 3
    assert sorted(read) == sorted(SECTIONS)
    config._on_config_parsed.send()
    make_theme()
    assert len(read) == 2 * len(SECTIONS)


def make_settings() -> Config:
    settings = Config()
    app_session._populate_config_msg(settings)
    return settings


def test_so_are_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = make_settings()
    assert expected.ByteSize()
    for name in ("_populate_theme_msg", "_populate_config_msg"):
        monkeypatch.setattr(app_session, name, getattr(app_session, name))  # put back afterwards
    keep_theme()
    put_together: list[None] = []
    put = kept_theme._put_settings_together

    def count(settings: Config) -> None:
        put_together.append(None)
        put(settings)

    monkeypatch.setattr(kept_theme, "_put_settings_together", count)
    assert [make_settings() for _ in range(3)] == [expected] * 3
    assert len(put_together) == 1
    config._on_config_parsed.send()
    assert make_settings() == expected
    assert len(put_together) == 2
