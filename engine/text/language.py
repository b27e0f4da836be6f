"""Which language a message is in, by its small words. Names and dates alone say nothing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from engine.decision import Context, Language
from engine.text.normalise import normal_form

_FILE = Path(__file__).parent.parent / "policies" / "languages.json"
_LOOKED_AT = 60
_ITALIAN_LETTERS = frozenset("àèéìòù")


@cache
def _marks() -> dict[str, frozenset[str]]:
    data = json.loads(_FILE.read_text(encoding="utf-8"))
    return {language: frozenset(words.split()) for language, words in data.items()}


def detect_language(text: str, context: Context) -> Language:
    """The language told, else that of the words, else that of the last message that had one, else English."""
    if context.language:
        return context.language
    for said in (text, *(message.content for message in reversed(context.history[-4:]))):
        difference = lean(said)
        if difference:
            return "it" if difference > 0 else "en"
    return "en"


def lean(text: str) -> int:
    """Above zero: Italian; below: English."""
    words = [normal_form(word.strip('.,;:!?"()')) for word in text[:2000].split()[:_LOOKED_AT]]
    marks = _marks()
    lean = 0
    for word in words:
        head = word.partition("'")[0] + "'" if "'" in word else word
        lean += (word in marks["it"] or head in marks["it"]) - (word in marks["en"])
        lean += bool(_ITALIAN_LETTERS & set(word))
    return lean
