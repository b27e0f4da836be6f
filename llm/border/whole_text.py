"""Text that every store and every page can hold: no half characters, no NUL; and JSON that is no trap."""

from __future__ import annotations

import codecs
import json
from typing import Any

_DEEPEST = 32
"""Levels of objects and lists. No tool's arguments come near it; a hundred are hard on whoever walks through them."""
_NOT_KEPT = str.maketrans({"\0": "\ufffd"})
"""PostgreSQL keeps no NUL."""
_CODEC = "utf-16-le"


class Whole:
    """Fragments in, whole characters out: half a character waits for its other half, which the next one may bring."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder(_CODEC)("replace").decode

    def add(self, fragment: str, *, last: bool = False) -> str:
        return self._decode(fragment.encode(_CODEC, "surrogatepass"), last).translate(_NOT_KEPT)


def whole(text: str) -> str:
    """The text with its halves joined; one that is alone becomes a replacement mark."""
    return text if text.isascii() and "\0" not in text else Whole().add(text, last=True)


def read_json(text: str) -> Any:
    """The value, its texts whole. ValueError: it is no JSON, nests too deeply, or has a number that no store keeps."""
    try:
        return _clean(json.loads(text, parse_constant=_refuse), 0)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _clean(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        return [_clean(each, depth + 1) for each in value]
    if isinstance(value, dict):
        return {whole(name): _clean(each, depth + 1) for name, each in value.items()}
    if value in (float("inf"), float("-inf")):  # 1e999 is written like a number
        raise ValueError("a number without end")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")
