"""Somebody who says things in many ways: fills the sentences of `words/` and knows which arguments they hold."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.policy.yaml_text import read_own_yaml

_FOLDER = Path(__file__).parent / "words"
_SLOT = re.compile(r"\{(\w+)\}")
_DATE_LEAD = {
    "en": re.compile(r"^(on|by|for|before|until|due)\s+", re.I),
    "it": re.compile(r"^(entro il|entro|per il|per|il|di)\s+", re.I),
}
_NOT_AFTER_TO = ("in ", "at ", "this ", "tra ", "alle ", "a ")
_ARTICLE = {
    "en": re.compile(r"^(the|a|an|my|some)\s+", re.I),
    "it": re.compile(r"^(il|lo|la|i|gli|le|un|uno|una)\s+|^(l'|un')", re.I),
}
_JOINED = {
    "di il": "del", "di lo": "dello", "di la": "della", "di i": "dei", "di gli": "degli", "di le": "delle",
    "a il": "al", "a lo": "allo", "a la": "alla", "a i": "ai", "a gli": "agli", "a le": "alle", "su il": "sul",
    "su la": "sulla", "su le": "sulle", "su i": "sui",
}  # fmt: skip
_OWN_TITLES = 0.5
_QUOTED = 0.1
_NUMBERED = {
    "en": ("#{}", "task {}", "number {}", "task #{}", "#{}", "todo {}"),
    "it": ("#{}", "l'attività {}", "numero {}", "#{}"),
}
_MENTIONS = {
    "en": ("the {key}", "the {key} task", "my {key} task", "the {key} one", "{key}", "the task about {key}",
           "the one about {key}", "the {key} reminder", "my {key}", "the {key} thing"),
    "it": ("{thing}", "{thing}", "quella di {key}", "l'attività {key}", "{key}", "il promemoria {key}"),
}  # fmt: skip
_TITLED = {"en": ("the task {title}", "the task called {title}"), "it": ("l'attività {title}", "l'attività {title}")}


class Said(NamedTuple):
    """Words, and the value that they stand for."""

    words: str
    value: Any


class Thing(NamedTuple):
    title: str
    thing: str
    """What it is about, with its article."""


@cache
def load_words(language: str) -> dict[str, Any]:
    data: dict[str, Any] = read_own_yaml((_FOLDER / f"{language}.yaml").read_text(encoding="utf-8"))
    return data


def plain_date(words: str, language: str) -> str:
    """ "by March 10" -> "March 10"; our own code reads the rest later."""
    return _DATE_LEAD[language].sub("", words)


def join_words(text: str) -> str:
    """ "di il dentista" -> "del dentista"."""
    text = re.sub(
        r"\b(di|a|su) (il|lo|la|i|gli|le)\b", lambda found: _JOINED.get(found[0].lower(), found[0]), text, flags=re.I
    )
    return re.sub(r"\b(di|a|su) l'", lambda found: {"di": "dell'", "a": "all'", "su": "sull'"}[found[1].lower()], text)


class Speaker:
    def __init__(self, language: str, seed: int, titles: Sequence[str] = ()) -> None:
        self.language, self.words = language, load_words(language)
        self.chooser = random.Random(seed)  # noqa: S311 - nothing secret
        self._titles = titles

    def pick(self, name: str) -> Any:
        return self.chooser.choice(self.words[name])

    def chance(self, share: float) -> bool:
        return self.chooser.random() < share

    def thing(self) -> Thing:
        if self.chance(0.2):
            noun = self.pick("nouns")
            return Thing(noun, noun)
        verb = self.chooser.choice(sorted(self.words["things"]))
        thing = self.chooser.choice(self.words["things"][verb])
        title = f"{verb} {thing}"
        return Thing(join_words(title) if self.language == "it" else title, thing)

    def title(self) -> str:
        """What is to be done; half of the time from our own words, so that the sources' style does not win."""
        if self._titles and not self.chance(_OWN_TITLES):
            return self.chooser.choice(self._titles)
        title = self.thing().title
        if self.chance(0.08):
            title = f"{title} {'and' if self.language == 'en' else 'e'} {self.thing().title}"
        elif self.chance(0.12):
            title = f"{title} {'with' if self.language == 'en' else 'con'} {self.pick('names')}"
        return title[0].upper() + title[1:] if self.chance(0.1) else title

    def target(self) -> Said:
        """A task as people name it. Without articles and "task", which only the sentence needs."""
        draw = self.chooser.random()
        if draw < 0.14:
            words = self.chooser.choice(_NUMBERED[self.language]).format(self.chooser.randint(1, 60))
            return Said(words, words.removeprefix("l'"))
        if draw < 0.17:
            code = f"{self.chooser.choice(('GRO', 'TASK', 'ABC', 'X', 'OPS'))}-{self.chooser.randint(1, 999):03}"
            return Said(self.chooser.choice(("task ", "") if self.language == "en" else ("",)) + code, code)
        thing = self.thing()
        if draw < 0.45:
            title = self.title()
            return self._quote(title)
        if draw < 0.52:
            said = self._quote(thing.title)
            return Said(self.chooser.choice(_TITLED[self.language]).format(title=said.words), thing.title)
        key = _ARTICLE[self.language].sub("", thing.thing)
        return Said(self.chooser.choice(_MENTIONS[self.language]).format(key=key, thing=thing.thing), key)

    def date(self, *, plain: bool = False) -> Said:
        words = str(self.pick("date"))
        while plain and plain_date(words, self.language).lower().startswith(_NOT_AFTER_TO):
            words = str(self.pick("date"))
        value = plain_date(words, self.language)
        return Said(value if plain else words, value)

    def slot(self, name: str) -> Said:
        """What stands in a slot, as said and as meant."""
        makers: dict[str, Any] = {
            "title": lambda: self._quote(self.title()),
            "noun": lambda: Said(*[self.pick("nouns")] * 2),
            "bare": lambda: Said(*[_ARTICLE[self.language].sub("", self.thing().thing)] * 2),
            "target": self.target,
            "date": self.date,
            "plain_date": lambda: self.date(plain=True),
            "new_title": lambda: self._quote(self.title() if self.chance(0.6) else self.pick("new_title")),
            "quoted_title": lambda: self._quote(self.pick("new_title"), always=True),
            "due2": lambda: self._pair("due", "due "),
            "prio_adj2": lambda: self._pair("prio_adj", "", "priority"),
            "offset": lambda: self._pair("number"),
            "new_desc": lambda: self._quote(self.pick("desc")),
            "desc": lambda: self._quote(self.pick("desc")),
            "name": lambda: Said(*[self.pick("names")] * 2),
        }
        return makers[name]() if name in makers else self._pair(name)

    def slots_of(self, template: str) -> list[str]:
        return _SLOT.findall(template)

    def _pair(self, name: str, start: str = "", inside: str = "") -> Said:
        entries = [entry if isinstance(entry, list) else [entry, entry] for entry in self.words[name]]
        fitting = [entry for entry in entries if str(entry[0]).startswith(start) and inside in str(entry[0])]
        words, value = self.chooser.choice(fitting or entries)
        return Said(str(words), value)

    def _quote(self, words: str, *, always: bool = False) -> Said:
        mark = self.chooser.choice("'\"")
        if mark in words or not (always or self.chance(_QUOTED)):
            return Said(words, words)
        return Said(f"{mark}{words}{mark}", words)
