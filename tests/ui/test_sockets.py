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
