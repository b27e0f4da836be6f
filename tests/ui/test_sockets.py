"""Small answers do not wait."""

from __future__ import annotations

import subprocess
import sys

from tests.workbench import ROOT

SCRIPT = """
import socket
import threading
from ui.sockets import send_small_answers_at_once
with socket.socket() as server, socket.socket(type=socket.SOCK_DGRAM):
    server.bind(("127.0.0.1", 0))
    server.listen()
    assert not server.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    send_small_answers_at_once()
    with socket.create_connection(server.getsockname()):
        connection, _ = server.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
"""


def test_connections_of_a_listening_socket_send_small_pieces_at_once() -> None:
    """In a process of its own, which has no other sockets."""
    subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, check=True, timeout=60)


BUILDING = """
import threading
from ui.sockets import send_small_answers_at_once
done = threading.Event()
broken = []
def build():
    while not done.is_set():
        try:
            tuple(number for number in range(5_000))
        except SystemError as error:
            broken.append(error)
builder = threading.Thread(target=build)
builder.start()
for _ in range(30):
    send_small_answers_at_once()
done.set()
builder.join()
assert not broken, broken[0]
"""


def test_what_other_threads_are_building_is_left_alone() -> None:
    """A look at every object held tuples that were just growing: the engine could not be warmed up."""
    subprocess.run([sys.executable, "-c", BUILDING], cwd=ROOT, check=True, timeout=60)


LOCKED = """
import fcntl, subprocess, sys, tempfile
from ui.sockets import send_small_answers_at_once
TRY = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
with tempfile.NamedTemporaryFile() as file:
    fcntl.lockf(file, fcntl.LOCK_EX)
    send_small_answers_at_once()
    taken = subprocess.run([sys.executable, "-c", TRY, file.name], capture_output=True)
    assert b"BlockingIOError" in taken.stderr, taken.stderr
"""


def test_locks_on_files_are_kept() -> None:
    """To close a copy of a descriptor drops them: the store's were gone from the start of the server on."""
    subprocess.run([sys.executable, "-c", LOCKED], cwd=ROOT, check=True, timeout=60)
