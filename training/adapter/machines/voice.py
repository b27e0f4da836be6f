"""Somebody who talks about machines: fills the sentences of `words/machines_*.yaml`, in either language."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from engine.policy.yaml_text import read_own_yaml

_FOLDER = Path(__file__).parent.parent / "words"
_ARTICLE = re.compile(r"^(?:il |lo |la |i |gli |le |l'|the )", re.I)
_PREPOSITIONS = {
    "en": {"of": ("of", "of", "in", "on", "for"), "in": ("in", "inside"), "to": ("to",), "with": ("with",),
           "from": ("from",), "on": ("on",), "at": ("at",), "for": ("for",)},
    "it": {"of": ("di",), "in": ("in",), "to": ("a",), "with": ("con",), "from": ("da",), "on": ("su",), "at": ("a",),
           "for": ("per",)},
}  # fmt: skip
_JOINED = {"di": "de", "in": "ne", "a": "a", "da": "da", "su": "su"}
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_TWO_FORMS = re.compile(r"([\w']+)/([\w']+)")
_INFINITIVE = {"en": (), "it": ("puoi", "potresti", "mi puoi", "vorrei")}
_ASKING = ("can you", "could you", "could you please", "can you please", "would you", "puoi", "potresti", "mi puoi")
Chosen = TypeVar("Chosen")


@cache
def load_fleet_words() -> dict[str, Any]:
    return dict(read_own_yaml((_FOLDER / "fleet.yaml").read_text(encoding="utf-8")))


@cache
def load_machine_words(language: str) -> dict[str, Any]:
    return dict(read_own_yaml((_FOLDER / f"machines_{language}.yaml").read_text(encoding="utf-8")))


def bare(words: str) -> str:
    """Without its article."""
    return _ARTICLE.sub("", words)


def after(preposition: str, words: str, language: str) -> str:
    """ "di" and "il frigo" are "del frigo"; in English they only stand side by side."""
    if language != "it" or preposition not in _JOINED:
        return f"{preposition} {words}"
    stem = _JOINED[preposition]
    for article, ending in (
        ("il ", "l "),
        ("lo ", "llo "),
        ("la ", "lla "),
        ("l'", "ll'"),
        ("i ", "i "),
        ("gli ", "gli "),
        ("le ", "lle "),
    ):
        if words.lower().startswith(article):
            return stem + ending + words[len(article) :]
    return f"{preposition} {words}"


class Voice:
    def __init__(self, language: str, seed: int) -> None:
        self.language, self.words = language, load_machine_words(language)
        self._chooser = random.Random(seed)  # noqa: S311 - nothing secret

    def chance(self, share: float) -> bool:
        return self._chooser.random() < share

    def choice(self, among: Sequence[Chosen]) -> Chosen:
        return self._chooser.choice(among)

    def sample(self, among: Sequence[Chosen], count: int) -> list[Chosen]:
        return self._chooser.sample(list(among), count)

    def shuffle(self, among: list[Any]) -> None:
        self._chooser.shuffle(among)

    def number(self, low: int, high: int) -> int:
        return self._chooser.randint(low, high)

    def pick(self, name: str) -> Any:
        return self.choice(self.words[name])

    def other_language(self) -> str:
        return "it" if self.language == "en" else "en"

    def fill(self, sentence: str, machine: str | None, **slots: object) -> str:
        """`machine`: with its article; None: it is not said, and what may be left out is."""
        keep = machine is not None
        text = _OPTIONAL.sub(lambda found: found[1] if keep else "", sentence)
        found = {name: str(value) for name, value in slots.items()}

        def slot(match: re.Match[str]) -> str:
            name = match[1]
            if name == "the":
                return machine or ""
            prepositions = _PREPOSITIONS[self.language].get(name)
            if prepositions and name not in found:
                return after(self.choice(prepositions), machine or "", self.language)
            return found.get(name, match[0])

        text = _SLOT.sub(slot, text)
        return re.sub(r"(\d) (%|°)", r"\1\2" if self.chance(0.6) else r"\1 \2", re.sub(r"\s+", " ", text)).strip()

    def dress(self, text: str) -> str:
        """As people dress what they say: politely, in small letters, with a full stop or none."""
        imperative, text = text.startswith("!"), text.removeprefix("!")
        question = text.endswith("?")
        opener = self.pick("opener") if imperative and self.chance(0.3) else ""
        text = self.in_form(text, infinitive=opener in _INFINITIVE[self.language])
        question = question or opener in _ASKING
        text = f"{opener} {text}".strip()
        if not question and self.chance(0.12):
            text = f"{text}{self.choice((',', ''))} {self.pick('closer')}"
        if self.chance(0.05):
            text = self._mistyped(text)
        draw = self._chooser.random()
        if draw < 0.4:
            text = text.lower()
        elif draw < 0.75:
            text = text[0].upper() + text[1:]
        if text.endswith("?"):
            return text if self.chance(0.7) else text[:-1]
        return text + self.choice(("?", "") if question else ("", "", "", ".", "!"))

    def in_form(self, text: str, *, infinitive: bool = False) -> str:
        return _TWO_FORMS.sub(lambda found: found[2 if infinitive else 1], text)

    def _mistyped(self, text: str) -> str:
        words = text.split(" ")
        places = [place for place, word in enumerate(words) if len(word) > 4 and word.isalpha() and word.islower()]
        if not places:
            return text
        place = self.choice(places)
        at = self.number(1, len(words[place]) - 3)
        word = words[place]
        words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return " ".join(words)
