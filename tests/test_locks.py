"""Everything that is installed has one version and known hashes, and everything that CI runs is one commit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = {
    "requirements.txt": "constraints.txt",
    "requirements-bulk.txt": "constraints-bulk.txt",
    "requirements-tracing.txt": "constraints-tracing.txt",
    "requirements-dev.txt": "constraints-dev.txt",
    "requirements-tools.txt": "constraints-tools.txt",
    "benchmarks/requirements.txt": "benchmarks/constraints.txt",
}
PIN = re.compile(r"([A-Za-z0-9._-]+)==(\S+)( ; [^\\]+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def read(name: str) -> list[str]:
    """The requirements of a file, each with its hashes in one line."""
    lines = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def pins(name: str) -> dict[str, str]:
    """Package -> version; a requirement in another form fails."""
    found = {}
    for line in read(name):
        if line.startswith("-r "):
            found |= pins(line.removeprefix("-r ").strip())
            continue
        pin = PIN.fullmatch(line.split(" --hash", 1)[0].strip())
        assert pin, f"{name}: {line[:80]} has no exact version"
        found[re.sub(r"[-_.]+", "-", pin[1]).lower()] = pin[2]
    return found


@pytest.mark.parametrize("name", LOCKS.values())
def test_every_locked_package_has_hashes(name: str) -> None:
    locked = read(name)
    assert len(locked) > 5
    for line in locked:
        parts = line.split(" --hash", 1)
        assert len(parts) == 2, f"{name}: {line[:80]} has no hash"
        hashes = f"--hash{parts[1]}".split()
        assert all(HASH.fullmatch(each) for each in hashes), line[:80]


@pytest.mark.parametrize(("asked", "locked"), LOCKS.items())
def test_what_is_asked_for_is_locked_in_that_very_version(asked: str, locked: str) -> None:
    assert pins(asked).items() <= pins(locked).items(), "run: make lock"


@pytest.mark.parametrize(
    "more", ["constraints-bulk.txt", "constraints-tracing.txt", "constraints-dev.txt", "benchmarks/constraints.txt"]
)
def test_what_is_installed_on_top_changes_nothing_of_what_runs(more: str) -> None:
    runs, both = pins("constraints.txt"), pins(more)
    assert {name: both[name] for name in both if name in runs} == {name: runs[name] for name in runs if name in both}


def test_make_installs_nothing_without_a_hash() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installing = [line for line in makefile.splitlines() if "pip install" in line]
    assert len(installing) == 1
    assert "--require-hashes" in installing[0]
    assert makefile.count("$(INSTALL) ") == len(LOCKS)


def test_the_tests_do_not_need_the_audit() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    needed = re.search(r"^test: (.*?) ##", makefile, re.MULTILINE)
    assert needed
    assert not {"audit", "lock", "$(VENV)/.tools-ready"} & set(needed[1].split())


def test_every_action_of_ci_is_one_commit() -> None:
    used = [
        line.split("uses:", 1)[1].strip()
        for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]
    assert used
    for each in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", each), each


def test_every_licence_that_the_notice_names_is_here() -> None:
    folder = ROOT / "llm" / "adapter"
    named = set(re.findall(r"\]\(([^)]+)\)", (folder / "NOTICE.md").read_text(encoding="utf-8")))
    texts = {name for name in named if name.startswith("licences/") or name == "LICENSE"}
    assert {f"licences/{path.name}" for path in (folder / "licences").iterdir()} | {"LICENSE"} == texts
    assert all(len((folder / name).read_text(encoding="utf-8")) > 500 for name in texts)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(llm/adapter/NOTICE.md)" in readme
    assert "(llm/adapter/licences)" in readme
