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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PLACES = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
)
OLDEST = 15
_START_SECONDS = 60
_CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")


@dataclass(frozen=True)
class PostgresServer:
    folder: Path
    pid: int

    def url_of(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"


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
    programs = find_programs()
    if programs is None:
        raise SystemExit(how_to_install())
    folder = Path(tempfile.mkdtemp(prefix="twolane-pg-"))
    user = _who_runs_it()
    if user:
        os.chown(folder, user.pw_uid, user.pw_gid)
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": ()} if user else {}
    data = folder / "data"
    make = [
        programs / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
        "--no-instructions",
    ]
    made = subprocess.run(make, capture_output=True, text=True, cwd=folder, **identity)  # type: ignore[call-overload]
    if made.returncode:
        raise SystemExit(f"The server of the tests could not be made: {made.stderr.strip().splitlines()[-1]}")
    options = [
        f"unix_socket_directories={folder}",
        "listen_addresses=",
        "max_connections=200",
        "shared_buffers=128MB",
        "log_min_messages=fatal",
    ]
    options += [] if keeps else _CARELESS
    command = [programs / "postgres", "-D", data, *(part for option in options for part in ("-c", option))]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, start_new_session=True, **identity)  # type: ignore[call-overload]
    _wait_until_ready(programs, folder, server)
    return PostgresServer(folder, server.pid)


def _who_runs_it() -> pwd.struct_passwd | None:
    """Nobody else where we are not root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _wait_until_ready(programs: Path, folder: Path, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    ask = [programs / "pg_isready", "-q", "-h", folder, "-U", "postgres"]
    while subprocess.run(ask, check=False).returncode:
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"The server of the tests did not start: {(folder / 'server.log').read_text()[-400:]}")
        time.sleep(0.05)


def stop_server(server: PostgresServer) -> None:
    programs = find_programs()
    user = _who_runs_it()
    identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": ()} if user else {}
    stop = [
        str(programs / "pg_ctl") if programs else "pg_ctl",
        "stop",
        "-D",
        str(server.folder / "data"),
        "-m",
        "immediate",
        "-s",
    ]
    subprocess.run(stop, check=False, cwd=server.folder, **identity)  # type: ignore[call-overload]
    shutil.rmtree(server.folder, ignore_errors=True)


@contextmanager
def running_server(*, keeps: bool = False) -> Iterator[PostgresServer]:
    server = start_server(keeps=keeps)
    try:
        yield server
    finally:
        stop_server(server)
