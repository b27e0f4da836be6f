"""Two processes behind nginx, people who chat without a pause, and one process killed and started again meanwhile:
`python -m benchmarks.behind_nginx --sessions 100`; or, with `--restart-database`, the PostgreSQL server under them.

nginx is Debian's (`apt-get install nginx`, or `--nginx PATH`), with deploy/nginx.conf as it is but for names, ports and
the certificate. A session whose process is gone connects again at the page's address, as a browser does, and says once
more what the page does not show as done. Whoever is told that a message was not kept looks first, as the page advises,
and types it again where it is not there. At the end the store must hold exactly what was acknowledged, nothing lost or
doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from benchmarks.sessions import titles_of
from benchmarks.streamlit_session import StreamlitSession
from db.connection import Database
from db.users import create_user
from tests.postgres import PostgresServer, restart_server, running_server
from tests.workbench import ROOT, free_port, start_workbench

GONE = (ConnectionClosed, InvalidStatus, InvalidMessage, OSError, EOFError)
PEOPLE = 10


@dataclass
class Person:
    """One session: what was acknowledged, how long each message took, how often it had to connect again, and what the
    page said where a message was not kept at first."""

    handle: str
    name: str
    added: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    reconnects: int = 0
    told: list[str] = field(default_factory=list)
    kept_after_all: int = 0
    """How often the page could not tell, and the message was there."""
    errors: list[str] = field(default_factory=list)


def write_configuration(folder: Path, port: int, servers: list[int]) -> Path:
    """deploy/nginx.conf for this machine: plain HTTP on loopback at one port, in front of these."""
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    start = text.index("server {\n    listen 80;")
    text = text[:start] + text[text.index("server {\n    listen 443") :]  # there is nothing to redirect
    text = re.sub(r"    listen \[::\].*\n|    ssl_.*\n|    add_header Strict.*\n", "", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};").replace("twolane.example.org", "localhost")
    for usual, own in zip((8501, 8502), servers, strict=True):
        text = text.replace(f"127.0.0.1:{usual} ", f"127.0.0.1:{own} ")
    (folder / "site.conf").write_text(text, encoding="utf-8")
    for name in ("body", "proxy", "fastcgi", "uwsgi", "scgi"):
        (folder / name).mkdir()
    temporary = "client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; "
    main = folder / "nginx.conf"
    main.write_text(
        f"daemon off;\npid nginx.pid;\nerror_log error.log;\n{'user root;' if os.geteuid() == 0 else ''}\n"
        "worker_processes 1;\nevents { worker_connections 1024; }\n"
        f"http {{ access_log off; {temporary}scgi_temp_path scgi; include site.conf; }}\n",
        encoding="utf-8",
    )
    return main


@contextmanager
def running_nginx(program: str, folder: Path, servers: list[int]) -> Iterator[str]:
    port = free_port()
    configuration = write_configuration(folder, port, servers)
    subprocess.run([program, "-t", "-q", "-p", str(folder), "-c", str(configuration)], check=True)
    nginx = subprocess.Popen([program, "-p", str(folder), "-c", str(configuration)])
    try:
        yield f"http://localhost:{port}"
    finally:
        nginx.terminate()
        nginx.wait(timeout=20)


def connect(url: str, person: Person, address: dict[str, str]) -> StreamlitSession:
    cookie = base64.urlsafe_b64encode(person.name.encode().ljust(32, b"_")).decode().rstrip("=")[:43]
    return StreamlitSession(url, "chat", cookie=f"twolane_browser={cookie}", **address)


async def chat(url: str, person: Person, seconds: float) -> None:
    ends, address, waiting = time.monotonic() + seconds, {"user": person.handle}, ""
    while time.monotonic() < ends or waiting:
        try:
            async with connect(url, person, address) as session:
                while time.monotonic() < ends or waiting:
                    title = waiting or f"errand {person.name} number {len(person.added)}"
                    expected = f"Added '{title}'"
                    began = time.perf_counter()
                    if not (waiting and await session.shows(expected)):
                        waiting = title
                        await say_until_kept(session, person, f"add a task called {title}", expected)
                    person.times.append((time.perf_counter() - began) * 1000)
                    person.added.append(title)
                    waiting, address = "", session.address
                person.errors += session.errors
        except GONE:
            person.reconnects += 1
            await asyncio.sleep(0.5)  # as a browser's page waits before it tries again


async def say_until_kept(session: StreamlitSession, person: Person, text: str, expected: str) -> None:
    """As somebody who reads what the page says: it was not kept, or may not have been, so look and say it again."""
    while told := await session.try_to_say(text, expected):
        person.told.append(told)
        while not await session.try_again():
            await asyncio.sleep(0.5)  # as long as it takes to press the button once more
        if await session.shows(expected):
            person.kept_after_all += 1
            return


async def run(url: str, people: list[Person], seconds: float, disturb: asyncio.Task[None] | None) -> None:
    await asyncio.gather(*(chat(url, person, seconds) for person in people))
    if disturb:
        await disturb


def tell(people: list[Person], database: Database, seconds: float) -> None:
    for handle in {person.handle for person in people}:
        said = Counter(title for person in people if person.handle == handle for title in person.added)
        stored = Counter(titles_of(database, handle))
        odd = {title.split()[1] for title in (said - stored) + (stored - said)}
        told = [f"{person.name}: {person.told}" for person in people if person.name in odd]
        assert stored == said, f"{handle}: lost {list(said - stored)}, doubled {list(stored - said)}; {told}"
    errors = [error for person in people for error in person.errors]
    assert not errors, errors[:3]
    times = sorted(each for person in people for each in person.times)
    again = sum(person.reconnects > 0 for person in people)
    print(f"{len(people)} sessions, {len(times)} messages in {seconds:g} s ({len(times) / seconds:.1f} a second)")
    print(f"nothing lost or doubled, no error; {again} sessions had to connect again, and all went on")
    told, kept = sum(len(person.told) for person in people), sum(person.kept_after_all for person in people)
    if told:
        print(f"{told} times a message was told back as not kept, {kept} of them it was there after all")
    for sentence, count in Counter(re.sub("Your message was.*", "", each) for p in people for each in p.told).items():
        print(f"  {count}: {sentence}")
    print(
        f"until the reply is drawn: median {statistics.median(times):.0f} ms, "
        f"p95 {times[int(len(times) * 0.95)]:.0f} ms, longest {times[-1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--nginx", default=shutil.which("nginx") or "/usr/sbin/nginx")
    parser.add_argument("--database-url", default="", help="of a store that both use; none: a new SQLite file")
    parser.add_argument("--postgres", action="store_true", help="both use a PostgreSQL server that is there for this")
    parser.add_argument("--undisturbed", action="store_true", help="kill nobody")
    parser.add_argument(
        "--restart-database", action="store_true", help="not a process: a PostgreSQL server of its own, meanwhile"
    )
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = None
        if options.restart_database or options.postgres:
            server = stack.enter_context(running_server(keeps=True))
            options.database_url = server.url_of("postgres")
        measure(folder, options, server if options.restart_database else None)


def measure(folder: Path, options: argparse.Namespace, database_server: PostgresServer | None) -> None:
    settings = {"DATABASE_URL": options.database_url} if options.database_url else {}
    settings |= {"DATABASE_PATIENCE_SECONDS": "30", "llm": "off"}
    (folder / "nginx").mkdir()
    ports = [free_port(), free_port()]
    started = [start_workbench(folder, port=port, **settings) for port in ports]  # type: ignore[arg-type]
    servers = [server for _, server in started]
    database = Database(options.database_url) if options.database_url else started[0][0].database
    people = [Person(f"person-{number % PEOPLE}", f"{number}a") for number in range(options.sessions)]
    with database.write() as session:
        for handle in sorted({person.handle for person in people}):
            create_user(session, handle, handle=handle)

    async def disturb() -> None:
        while not all(person.added for person in people):  # before, the page's address names no conversation yet
            await asyncio.sleep(0.2)
        await asyncio.sleep(options.seconds / 6)
        if database_server:
            await asyncio.to_thread(restart_server, database_server)
            print("the database was restarted")
            return
        servers[0].send_signal(signal.SIGKILL)
        servers[0].wait()
        print("one process was killed")
        servers[0] = (await asyncio.to_thread(start_workbench, folder, port=ports[0], **settings))[1]
        print("and is there again")

    async def both() -> None:
        task = None if options.undisturbed else asyncio.create_task(disturb())
        await run(url, people, options.seconds, task)

    try:
        with running_nginx(options.nginx, folder / "nginx", ports) as url:
            asyncio.run(both())
        tell(people, database, options.seconds)
    finally:
        for server in servers:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
