"""What the README and the docs say is true: their code runs, their commands and settings exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from domains.loading import load_policy
from domains.machines.tools import MACHINE_TOOL_NAMES
from domains.tasks.tools import TOOL_NAMES
from engine.policy.tuning import own_thresholds
from engine.values import ErrorKind
from settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
STORE = (ROOT / "docs" / "store.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_the_example_in_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    expected = re.findall(r"print\(.*\)  # (.+)", code)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == expected


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
def test_every_make_target_that_the_docs_name_exists(path: Path) -> None:
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert named <= TARGETS


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
def test_every_file_that_the_docs_link_exists(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_make_help_lists_every_target() -> None:
    listed = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {line.split()[1] for line in listed.splitlines() if line.strip().startswith("make ")} == TARGETS


def test_every_setting_is_documented_with_its_default() -> None:
    for name, field in Settings.model_fields.items():
        default = (
            str(field.default).lower() if isinstance(field.default, bool) else f"{field.default}".removesuffix(".0")
        )
        assert f"| `{name.upper()}` | {f'`{default}`' if default else 'none'} |" in README


def test_every_tool_and_every_error_is_documented() -> None:
    assert [name for name in (*TOOL_NAMES, *MACHINE_TOOL_NAMES) if f"| `{name}` |" not in STORE] == []
    assert [kind for kind in ErrorKind if f"`{kind}`" not in STORE] == []


def test_every_threshold_is_documented_with_its_own_value() -> None:
    documented = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for name, value in own_thresholds(load_policy("en")).items():
        assert f"| `{name}` | {value:.2f} |" in documented
