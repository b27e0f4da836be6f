"""`words.txt`: a [class] heading, then one word or phrase a line. Lines that begin with # are comments."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class WordsFile(NamedTuple):
    """The classes as written, with the line of each heading and each word."""

    classes: dict[str, list[str]]
    headings: dict[str, int]
    lines: dict[str, list[int]]
    problems: list[tuple[int, str]]

    def line_of(self, name: str, place: int | None = None) -> int:
        lines = self.lines.get(name, [])
        return lines[place] if place is not None and place < len(lines) else self.headings.get(name, 1)


@lru_cache(maxsize=32)
def read_words_file(text: str) -> WordsFile:
    """Kept: of a draft nearly all files are those of the policy that it was made from. Nobody changes what is read."""
    found = WordsFile({}, {}, {}, [])
    name = ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name = line.strip("[]").strip()
            if name in found.classes:
                found.problems.append((number, f"the class {name!r} stands here twice"))
            found.classes.setdefault(name, [])
            found.headings.setdefault(name, number)
            found.lines.setdefault(name, [])
        elif not name:
            found.problems.append((number, f"{line!r} stands before the first [class]"))
        else:
            found.classes[name].append(line)
            found.lines[name].append(number)
    return found
