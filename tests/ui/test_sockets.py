"""Small answers do not wait."""

from __future__ import annotations

import subprocess
import sys

from tests.workbench import ROOT

SCRIPT = """
import socket
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
    """In a process of its own: looking through every object of one that tests takes seconds."""
    subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, check=True, timeout=60)
