"""The words that misspelt ones are compared with, each person's own."""

from __future__ import annotations

from sqlalchemy import Connection

from db import sqlite_words
from db.search_ids import serial_of


def add_personal_vocabulary(connection: Connection) -> None:
    """From the tasks as they are: what only deleted tasks had is gone. A person at a time, as their tasks lie."""
    sqlite_words.make_vocabulary_personal(connection)
    query = "SELECT search_id, title_words, description_words FROM tasks ORDER BY search_id"
    owner, words = 0, set[str]()
    for search_id, title_words, description_words in connection.exec_driver_sql(query):
        serial = serial_of(search_id)
        if serial != owner:
            sqlite_words.add_words(connection, owner, words)
            owner, words = serial, set()
        words.update(title_words.split())
        words.update(description_words.split())
    sqlite_words.add_words(connection, owner, words)
