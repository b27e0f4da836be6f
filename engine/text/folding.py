"""The one form in which texts are compared: what the engine looks for is what the store has kept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_PLAIN_WORDS = re.compile(r"[a-z0-9]+")
_NO_ACCENTS = dict.fromkeys(range(0x300, 0x370))
"""Only the accents of European scripts: the marks of Japanese or Hindi make other letters."""


def fold(text: str) -> str:
    """No case, no accents, single spaces: "Caffè  Roma" and "caffe roma" meet."""
    if text.isascii():
        return " ".join(text.lower().split())
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(unicodedata.normalize("NFKC", decomposed.translate(_NO_ACCENTS)).split())


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text in folded form: runs of letters and digits."""
    folded = fold(text)
    if folded.isascii():
        return tuple(_PLAIN_WORDS.findall(folded))
    return tuple("".join(char if unicodedata.category(char)[0] in "LN" else " " for char in folded).split())


title_words = lru_cache(maxsize=8192)(split_words)
"""The same for titles, which are asked for again and again."""
