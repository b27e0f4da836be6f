"""Messages that must stay, from a file."""

from __future__ import annotations

from ui.policy import must_stay


def test_a_file_is_read_line_by_line_up_to_its_limit() -> None:
    assert must_stay.read_messages("\ufeffone\r\n\n  two \nthr\xe9e".encode()) == ["one", "two", "thrée"]
    many = "a\n" * (must_stay.MOST_LINES + 5)
    assert len(must_stay.read_messages(many.encode())) == must_stay.MOST_LINES


def test_a_file_in_another_encoding_is_read_as_far_as_it_can_be() -> None:
    assert must_stay.read_messages(b"caff\xe8") == ["caff\ufffd"]
