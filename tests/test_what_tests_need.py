"""Where the browser or the MCP Inspector cannot be had, one sentence says what to install; no stack trace does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import get_browser
from tests.mcp_door import get_inspector

NOTHING = subprocess.CompletedProcess[bytes]((), 1, b"", b"Traceback (most recent call last): ...")


@pytest.fixture(autouse=True)
def _bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on the path, and whatever is started fails with a page of text."""
    monkeypatch.delenv("TWOLANE_BROWSER", raising=False)
    monkeypatch.setattr(shutil, "which", lambda *_names, **_places: None)
    monkeypatch.setattr(subprocess, "run", lambda *_command, **_options: NOTHING)
    monkeypatch.setattr(get_browser, "_playwright_browser", lambda: iter(()))
    monkeypatch.setattr(get_browser, "PLACES", {})


def on_the_path(monkeypatch: pytest.MonkeyPatch, *programs: str) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_places: f"/usr/bin/{name}" if name in programs else None)


def ended_with(capfd: pytest.CaptureFixture[str], module: object) -> str:
    with pytest.raises(SystemExit) as ended:
        module.main()  # type: ignore[attr-defined]
    assert "Traceback" not in capfd.readouterr().err
    sentence = str(ended.value)
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize(
    ("programs", "root", "command"),
    [
        (("apt-get",), False, "apt-get install chromium, as root"),
        (("apt-get", "sudo"), False, "sudo apt-get install chromium"),
        (("apt-get",), True, "Install Chromium: apt-get install chromium (or"),
        ((), False, "your system's package of Chromium"),
    ],
)
def test_debian_is_told_the_command_for_who_asks(
    programs: tuple[str, ...],
    root: bool,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000, raising=False)
    on_the_path(monkeypatch, *programs)
    assert command in ended_with(capfd, get_browser)


@pytest.mark.parametrize(("system", "command"), [("darwin", "brew install"), ("win32", "winget install")])
def test_other_systems_have_commands_of_their_own(
    system: str, command: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.delattr(os, "geteuid", raising=False)  # Windows has none
    assert command in ended_with(capfd, get_browser)


def test_a_browser_that_does_not_start_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    on_the_path(monkeypatch, "chromium")
    assert get_browser.find_browser() is None
    monkeypatch.setattr(subprocess, "run", lambda *_command, **_options: subprocess.CompletedProcess((), 0))
    assert get_browser.find_browser() == "/usr/bin/chromium"


def test_a_browser_outside_the_path_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "Google Chrome.exe"
    program.touch()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(get_browser, "PLACES", {"win32": (str(program),)})
    assert get_browser.find_browser() == str(program)


def test_without_npm_the_requirements_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert "pip install -r requirements-dev.txt" in ended_with(capfd, get_inspector)


def test_an_install_that_fails_is_one_sentence_from_any_folder(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = inspector_folder(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path.anchor)
    on_the_path(monkeypatch, "npm", "node")
    sentence = ended_with(capfd, get_inspector)
    assert "npm could not install it" in sentence
    assert str(folder) in sentence


def test_a_folder_of_somebody_else_is_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = inspector_folder(tmp_path, monkeypatch)
    on_the_path(monkeypatch, "npm", "node")
    monkeypatch.setattr(os, "access", lambda *_asked: False)
    assert f"you may not write to {folder}" in ended_with(capfd, get_inspector)


def test_the_inspector_is_started_by_node_and_not_by_a_link(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What lies in node_modules/.bin is a link here, and on Windows a script for a shell."""
    folder = inspector_folder(tmp_path, monkeypatch)
    on_the_path(monkeypatch, "npm", "node")
    package = folder / "node_modules" / "@modelcontextprotocol" / "inspector"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"bin": {"mcp-inspector": "./build/index.js"}}', encoding="utf-8")
    assert get_inspector.find_inspector() is None, "npm has not ended yet"
    (folder / "node_modules" / ".package-lock.json").touch()
    assert get_inspector.find_inspector() == ["/usr/bin/node", str(package / "build" / "index.js")]


def inspector_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = (tmp_path / "inspector").resolve()
    folder.mkdir()
    (folder / "package-lock.json").touch()
    monkeypatch.setattr(get_inspector, "FOLDER", folder)
    return folder
