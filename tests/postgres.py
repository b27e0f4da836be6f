"""A PostgreSQL server of our own for tests and benchmarks, in a folder that is gone afterwards, with its socket in it.

The programs are Debian's package `postgresql`, or whichever the system has. A server refuses to run as root: there it
runs as its own user. For tests it need not keep anything through a power cut; benchmarks ask for that.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
)
OLDEST = 15
_START_SECONDS = "60"
_CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


@dataclass(frozen=True)
class PostgresServer:
    folder: Path

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    @classmethod
    def of(cls, url: str) -> PostgresServer:
        return cls(Path(url.partition("?host=")[2]))


@cache
def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`, of the latest version there is; None where there is none new enough."""
    on_path = shutil.which("initdb")
    folders = [Path(found) for place in PLACES for found in sorted(map(str, Path("/").glob(place[1:])))]
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    usable = [(version, folder) for folder in folders if (version := _version_of(folder)) >= OLDEST]
    return max(usable)[1] if usable else None


def _version_of(folder: Path) -> int:
    try:
        said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
        return int(said.split()[2].split(".")[0])
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return 0


def how_to_install() -> str:
    """One sentence for who has no server to test with."""
    command = "your system's package of PostgreSQL"
    if sys.platform == "darwin":
        command = "brew install postgresql@16"
    elif shutil.which("apt-get"):
        asking = "" if os.geteuid() == 0 or not shutil.which("sudo") else "sudo "
        as_root = "" if os.geteuid() == 0 or asking else ", as root"
        command = f"{asking}apt-get install postgresql{as_root}"
    return f"The tests of the store need the programs of PostgreSQL {OLDEST} or later. Install them: {command}."


def start_server(*, keeps: bool = False) -> PostgresServer:
    """A new one, without any database of ours. `keeps`: what it acknowledged outlives a power cut."""
    folder = Path(tempfile.mkdtemp(prefix="twolane-pg-"))
    if user := _who_runs_it():
        os.chown(folder, user.pw_uid, user.pw_gid)
    make = ("-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    made = _run(folder, "initdb", *make, "--no-instructions")
    if made.returncode:
        raise SystemExit(f"The server of the tests could not be made: {made.stderr.strip().splitlines()[-1]}")
    options = [f"unix_socket_directories={folder}", "listen_addresses=", "max_connections=200", "shared_buffers=128MB"]
    with (folder / "data" / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
        file.writelines(
            "{} = '{}'\n".format(*option.split("=")) for option in (*options, *(() if keeps else _CARELESS))
        )
    _start(folder)
    return PostgresServer(folder)


def _start(folder: Path) -> None:
    wanted = ("start", "-D", str(folder / "data"), "-l", str(folder / "server.log"), "-w", "-s", "-t", _START_SECONDS)
    if _run(folder, "pg_ctl", *wanted).returncode:
        raise SystemExit(f"The server of the tests did not start: {(folder / 'server.log').read_text()[-400:]}")


def restart_server(server: PostgresServer) -> None:
    """As an update of the package does it: whoever is connected loses the connection."""
    _run(server.folder, "pg_ctl", "stop", "-D", str(server.folder / "data"), "-m", "fast", "-w", "-s")
    _start(server.folder)


def stop_server(server: PostgresServer) -> None:
    _run(server.folder, "pg_ctl", "stop", "-D", str(server.folder / "data"), "-m", "immediate", "-w", "-s")
    shutil.rmtree(server.folder, ignore_errors=True)


def _run(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As the user who may: a server refuses to run as root."""
    programs, user = find_programs(), _who_runs_it()
    if programs is None:
        raise SystemExit(how_to_install())
    identity: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": ()} if user else {}
    # Its output goes to a file: a server that was started holds on to a pipe for as long as it runs.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        command = [str(programs / program), *arguments]
        ended = subprocess.run(command, stdout=said, stderr=said, cwd=folder, check=False, **identity)
        said.seek(0)
        return subprocess.CompletedProcess(command, ended.returncode, "", said.read())


def _who_runs_it() -> pwd.struct_passwd | None:
    """Nobody else where we are not root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


@contextmanager
def running_server(*, keeps: bool = False) -> Iterator[PostgresServer]:
    server = start_server(keeps=keeps)
    try:
        yield server
    finally:
        stop_server(server)
