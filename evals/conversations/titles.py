"""When two titles are the same: case, accents, punctuation, and small words at the start aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from db.contents import KeptThing
from domains.loading import load_policy
from engine.text.folding import split_words


@cache
def _leading_words(language: str) -> frozenset[str]:
    """Articles and possessives, as titles are split: "l'" is "l"."""
    return frozenset(
        word for phrase in load_policy(language).words.get("title_article", ()) for word in split_words(phrase)
    )


def same_form(title: str, language: str) -> str:
    """Two titles with the same form are the same title."""
    words = split_words(title)
    start = next((place for place, word in enumerate(words) if word not in _leading_words(language)), 0)
    return " ".join(words[start:]) or title.strip()


class Names:
    """What the tasks of a conversation are called: by their titles, and by the other forms that were accepted."""

    def __init__(self, things: Mapping[str, KeptThing], language: str) -> None:
        self._language = language
        self._forms: dict[str, set[str]] = {}
        self._titles: dict[str, str] = {}
        self.follow(things)

    def meet(self, things: Mapping[str, KeptThing]) -> None:
        """Take up what is new. While a turn is scored, everything else has the title that it had before."""
        self.follow({task_id: thing for task_id, thing in things.items() if task_id not in self._titles})

    def follow(self, things: Mapping[str, KeptThing]) -> None:
        """Take up what is new, or has another title now. What is gone keeps its names: it may come back."""
        for task_id, thing in things.items():
            if self._titles.get(task_id) != thing["title"]:
                self._titles[task_id] = thing["title"]
                self._forms[task_id] = {self.form(thing["title"])}

    def call(self, task_id: str, titles: Iterable[str]) -> None:
        """Further names that somebody may say for it later on."""
        self._forms[task_id] |= {self.form(title) for title in titles}

    def find(self, titles: Iterable[str], among: Iterable[str]) -> list[str]:
        """The ids of those that are called so: those whose very title it is, or else by another accepted form."""
        wanted, ids = {self.form(title) for title in titles}, list(among)
        exact = [each for each in ids if self.form(self._titles.get(each, "")) in wanted]
        return exact or [each for each in ids if self._forms.get(each, set()) & wanted]

    def form(self, title: str) -> str:
        return same_form(title, self._language)
