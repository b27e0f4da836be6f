"""Small answers do not wait."""

from __future__ import annotations

import socket

from ui.sockets import send_small_answers_at_once


def test_connections_of_a_listening_socket_send_small_pieces_at_once() -> None:
    with socket.socket() as server, socket.socket(type=socket.SOCK_DGRAM):
        server.bind(("127.0.0.1", 0))
        server.listen()
        assert not server.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        send_small_answers_at_once()
        with socket.create_connection(server.getsockname()):
            connection, _ = server.accept()
            with connection:
                assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
