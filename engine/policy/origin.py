"""Where a policy comes from: the folder of a language, or one file over it. It knows the line of each entry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from zlib import crc32

from engine.policy.large_file import read_large
from engine.policy.words_file import WordsFile, read_words_file
from engine.policy.yaml_text import MOST_BYTES, Fault, find_line, read_yaml

Trail = tuple[str | int, ...]
"""Through the plain data: ("words", "det", 3), ("frames", "add.item", "patterns", 0)."""

LANGUAGE, WORDS, GUARDS, REPLIES, WEIGHTS, DATES = (
    "language.yaml", "words.txt", "guards.yaml", "replies.yaml", "weights.json", "dates.json",
)  # fmt: skip
REAL_WORDS = "real_words.txt"
"""Words of the language that nobody misspelt, however much they look like one of the policy's."""
TALK = "talk.json"
"""Beside the language folders: what things noticed in a conversation are worth."""
SHARED = "shared.yaml"
"""Beside the language folders: sections that all languages of the domain share."""
INTENTS = "intents"
ACTS = "acts"


class Place(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file} line {self.line}"


class Problem(NamedTuple):
    """What is wrong, and where."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place.file}, line {self.place.line}: {self.text}"


class PolicyOrigin(Protocol):
    """What a policy was read from."""

    @property
    def folder(self) -> Path | None: ...

    def locate(self, path: Trail) -> Place: ...


@dataclass(frozen=True)
class FolderOrigin:
    """The files of a language folder, as they were when it was read."""

    folder: Path
    texts: Mapping[str, str] = field(repr=False, compare=False)
    words: WordsFile = field(repr=False, compare=False)
    under: FolderOrigin | None = field(default=None, repr=False, compare=False)
    """Where what all domains say in this language stands."""
    below: bool = False
    """Whether it is one that others stand on: then its places say whose folder it is."""

    def locate(self, path: Trail) -> Place:
        if self.under and path and not self.says(path) and self.under.has(path):
            return self.under.locate(path)
        head, rest = path[0] if path else "", path[1:]
        if head == "words":
            place = rest[1] if len(rest) > 1 and isinstance(rest[1], int) else None
            return self._place(WORDS, self.words.line_of(str(rest[0]), place) if rest else 1)
        if head in ("frames", "acts") and rest:
            return self._place_in(self._entry_files.get(str(rest[0]), LANGUAGE), rest)
        if head in ("guards", "replies"):
            return self._place_in(GUARDS if head == "guards" else REPLIES, rest)
        if head in ("weights", "dates"):
            return self._place(WEIGHTS if head == "weights" else DATES, 1)
        line, found = find_line(self.texts.get(LANGUAGE, ""), path)
        if not found and SHARED in self.texts:
            line, found = find_line(self.texts[SHARED], path)
            shown = f"{self.folder.parent.name}/{SHARED}" if self.below else SHARED
            return Place(shown, line) if found else self._place(LANGUAGE, 1)
        return self._place(LANGUAGE, line)

    def has(self, path: Trail) -> bool:
        """Whether this folder, or one that it stands on, says what is at the path."""
        return self.says(path) or bool(self.under and self.under.has(path))

    def says(self, path: Trail) -> bool:
        head, rest = path[0], path[1:]
        if head == "words" and rest:
            return str(rest[0]) in self.words.classes
        if head == "replies" and rest:
            return find_line(self.texts.get(REPLIES, ""), rest[:1])[1] > 0
        return any(find_line(self.texts.get(name, ""), path)[1] >= min(2, len(path)) for name in (LANGUAGE, SHARED))

    @cached_property
    def _entry_files(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for name, text in self.texts.items():
            if name.startswith((INTENTS, ACTS)):
                data, _ = read_yaml(text)
                found.update(dict.fromkeys(map(str, data or ()), name))
        return found

    def _place_in(self, name: str, path: Trail) -> Place:
        return self._place(name, find_line(self.texts.get(name, ""), path)[0])

    def _place(self, name: str, line: int) -> Place:
        shown = f"{self.folder.parent.name}/{self.folder.name}" if self.below else self.folder.name
        return Place(f"{shown}/{name}", line)


@dataclass(frozen=True)
class OverlayOrigin:
    """One file whose sections stand over those of another policy."""

    name: str
    text: str = field(repr=False, compare=False)
    under: PolicyOrigin | None = None

    @property
    def folder(self) -> Path | None:
        return self.under.folder if self.under else None

    def locate(self, path: Trail) -> Place:
        line, found = find_line(self.text, path)
        if found >= min(2, len(path)) or self.under is None:
            return Place(self.name, line)
        return self.under.locate(path)


class FolderText(NamedTuple):
    """A language folder, read but not yet looked at closely."""

    data: dict[str, Any]
    """The sections as plain data."""
    weights: Any
    dates: Any
    digest: str
    origin: FolderOrigin
    problems: tuple[Problem, ...]
    talk: Any = None
    inherited: frozenset[str] = frozenset()
    """Classes and replies that all domains have in this language, as `words.det`, `replies.or`."""
    real_words: frozenset[str] = frozenset()


_MERGED = ("words", "replies", "spellings", "numbers", "thresholds", "slot_needs", "amounts", "clitics", "stems")


def read_folder(
    folder: Path, intents: Iterable[str], bases: Sequence[Path] = (), texts: Mapping[str, str] | None = None
) -> FolderText:
    """Everything in a language folder, over words, replies and the like of other folders, the nearest first. `texts`
    stand in for the folder's own files, all of them, by their names: a draft or a version of before."""
    own = _read_own(folder, intents, texts, complete=not bases)
    return _stand_over(own, read_folder(bases[0], (), bases[1:])) if bases else own


def _stand_over(own: FolderText, below: FolderText) -> FolderText:
    """Ways of asking, guards and weights are a folder's own; all else shows through where it says nothing."""
    data: dict[str, Any] = {**below.data, **own.data}
    data.update({name: {**(below.data.get(name) or {}), **(own.data.get(name) or {})} for name in _MERGED})
    inherited = frozenset(
        f"{section}.{name}" for section in ("words", "replies") for name in below.data[section]
        if name not in own.data[section]
    )  # fmt: skip
    digest = f"{crc32(own.digest.encode(), int(below.digest, 16)):08x}"
    origin = replace(own.origin, under=replace(below.origin, below=True))
    problems = (*own.problems, *below.problems)
    real_words = own.real_words or below.real_words
    dates = own.dates or below.dates
    return FolderText(data, own.weights, dates, digest, origin, problems, own.talk, inherited, real_words)


def _read_own(folder: Path, intents: Iterable[str], given: Mapping[str, str] | None, *, complete: bool) -> FolderText:
    """The folder by itself. Frames come in the order of the intents, then of their files."""
    problems: list[Problem] = []
    texts, digest = _read_texts(folder, given, problems, complete=complete)
    words = read_words_file(texts.get(WORDS, ""))
    problems += [Problem(Place(f"{folder.name}/{WORDS}", line), text) for line, text in words.problems]

    def read(name: str, form: type) -> Any:
        data, faults = _parse_yaml(texts[name]) if name in texts else (None, [])
        shown = name if name == SHARED else f"{folder.name}/{name}"
        problems.extend(Problem(Place(shown, fault.line), fault.problem) for fault in faults)
        if name in texts and not faults and not isinstance(data, form):
            problems.append(Problem(Place(shown, 1), f"must be a {'list' if form is list else 'mapping'}"))
        return data if isinstance(data, form) else form()

    data = {"language": folder.name, **read(SHARED, dict), **read(LANGUAGE, dict), "words": words.classes}
    frames: dict[str, Any] = {}
    acts: dict[str, Any] = {}
    data["frames"], data["acts"] = frames, acts
    order = {f"{INTENTS}/{intent}.yaml": place for place, intent in enumerate(intents)}
    named = sorted((name for name in texts if name.startswith((INTENTS, ACTS))), key=lambda name: order.get(name, 99))
    for name in named:
        # The file says which intent, or which act, its ways of asking have.
        into, key = (frames, "intent") if name.startswith(INTENTS) else (acts, "act")
        for entry_name, entry in read(name, dict).items():
            if entry_name in into:
                line = find_line(texts[name], (str(entry_name),))[0]
                told = f"a frame {entry_name!r} stands elsewhere too"
                problems.append(Problem(Place(f"{folder.name}/{name}", line), told))
            into[entry_name] = {key: Path(name).stem, **entry} if isinstance(entry, dict) else entry
    data["guards"], data["replies"] = read(GUARDS, list), read(REPLIES, dict)
    tables = [_read_table(folder, name, texts, problems) for name in (WEIGHTS, DATES)]
    real_words = _split_words(texts.pop(REAL_WORDS, ""))
    kept = {name: text for name, text in texts.items() if not name.endswith(".json")}
    talk, digest = _read_talk(folder, digest, problems)
    origin = FolderOrigin(folder, kept, words)
    return FolderText(data, tables[0], tables[1], digest, origin, tuple(problems), talk, real_words=real_words)


def list_files(folder: Path) -> dict[str, Path]:
    """What a language folder's policy is made of, by their names in it, in the order in which they are read."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".yaml", ".txt", ".json") and path.is_file()]
    return {path.relative_to(folder).as_posix(): path for path in paths}


def _read_texts(
    folder: Path, given: Mapping[str, str] | None, problems: list[Problem], *, complete: bool
) -> tuple[dict[str, str], str]:
    """The folder's files by name, and a checksum over all their bytes: it tells versions apart, and proves nothing.
    Given texts have the checksum of the same files on disk."""
    texts: dict[str, str] = {}
    digest = 0
    raws: dict[str, bytes] = {}
    for name, path in ({} if given is not None else list_files(folder)).items():
        raws[name] = _read_bytes(path, folder, name, problems)
    if given is not None:
        raws = {name: given[name].encode() for name in sorted(given, key=lambda name: name.split("/"))}
    if (folder.parent / SHARED).is_file():
        raws[SHARED] = _read_bytes(folder.parent / SHARED, folder, SHARED, problems)
    for name, raw in raws.items():
        digest = crc32(raw, crc32(f"{name}\0{len(raw)}\0".encode(), digest))
        try:
            texts[name] = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            problems.append(Problem(Place(f"{folder.name}/{name}", 1), "is no text in UTF-8"))
    for name in (LANGUAGE, WORDS, REPLIES, DATES):
        if complete and name not in texts:
            problems.append(Problem(Place(f"{folder.name}/{name}", 1), "the file is missing"))
    return texts, f"{digest:08x}"


def _read_bytes(path: Path, folder: Path, name: str, problems: list[Problem]) -> bytes:
    if path.stat().st_size <= MOST_BYTES:
        return path.read_bytes()
    problems.append(Problem(Place(f"{folder.name}/{name}", 1), "the file is larger than 2 MB"))
    return b""


def _read_talk(folder: Path, digest: str, problems: list[Problem]) -> tuple[Any, str]:
    path = folder.parent / TALK
    if not path.is_file():
        return {}, digest
    raw, text = read_large(path)
    return _read_table(folder, TALK, {TALK: text}, problems), f"{crc32(raw, int(digest, 16)):08x}"


@lru_cache(maxsize=256)
def _parse_yaml(text: str) -> tuple[Any, list[Fault]]:
    """Kept: of a draft nearly all files are those of the policy that it was made from. Nobody changes what is read."""
    return read_yaml(text)


@lru_cache(maxsize=8)
def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@lru_cache(maxsize=8)
def _parse_json(text: str) -> Any:
    """Likewise; large tables are read once."""
    return json.loads(text)


def _read_table(folder: Path, name: str, texts: dict[str, str], problems: list[Problem]) -> Any:
    try:
        data = _parse_json(texts.get(name) or "{}")
    except json.JSONDecodeError as error:
        problems.append(Problem(Place(f"{folder.name}/{name}", error.lineno), error.msg))
        return {}
    except RecursionError:
        data = None
    if not isinstance(data, dict):
        problems.append(Problem(Place(f"{folder.name}/{name}", 1), "must be a mapping"))
        return {}
    return data
