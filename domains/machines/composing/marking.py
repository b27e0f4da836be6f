"""Finding the marks: serial numbers and names first, then phrases, then the fleet's own words."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz import fuzz, process

from domains.machines.composing.lexicon import load_lexicon, read_words
from domains.machines.composing.marks import Mark, Marked, object_words, plain_word
from domains.machines.memory_fleet import Group, MemoryFleet
from engine.completing.hints import Phrase

_LONGEST_SERIAL = 5
_LONGEST_CODE = 80
"""Characters: no number on a machine is longer, as it is said."""


_PARTICLE_REACH = 9


_TIME = ":"


_CLAUSE_SIGNS = ",;.!?:—–()"


_CLOSE_VERB = 90


_SHORTEST_VERB = 5


class _Marker:
    def __init__(self, text: str, fleet: MemoryFleet) -> None:
        self.utterance = read_words(text)
        self.words = [token.norm for token in self.utterance.tokens]
        self.plain = [plain_word(word) for word in self.words]
        self.fleet, self.lexicon = fleet, load_lexicon()
        self.marks: dict[int, Mark] = {}
        self.exact: list[tuple[int, int, Group]] = []
        self.taken = [False] * len(self.words)

    def run(self) -> Marked:
        self._find_long_kinds()
        self._find_serials()
        self._find_names()
        self._find_metric_names()
        self._find_phrases()
        self._find_split_verbs()
        self._find_trailing_particles()
        self._find_rest()
        marks = tuple(self.marks[place] for place in sorted(self.marks))
        return Marked(self.utterance, marks, tuple(self.exact), tuple(self._clauses()))

    def _clauses(self) -> Iterator[int]:
        clause, end, because = 0, 0, self.lexicon.sets["because"]
        has_verb = False
        for place, token in enumerate(self.utterance.tokens):
            between = self.utterance.text[end : token.start]
            if any(sign in between for sign in _CLAUSE_SIGNS) or (has_verb and token.norm in because):
                clause += 1
            has_verb = has_verb or (place in self.marks and self.marks[place].kind == "actions")
            end = token.end
            yield clause

    def _take(self, kind: str, meaning: str, first: int, last: int) -> None:
        self.marks[first] = Mark(kind, meaning, first, last)
        self.taken[first:last] = [True] * (last - first)

    def _is_free(self, first: int, last: int) -> bool:
        return not any(self.taken[first:last])

    def _find_long_kinds(self) -> None:
        """ "blast chiller" is one kind of machine, though a name may have each of the words."""
        for name in self.lexicon.synonyms:
            if len(name) == 1 or name[0] not in self.plain:
                continue
            for first in range(len(self.plain) - len(name) + 1):
                last = first + len(name)
                if tuple(self.plain[first:last]) == name and self._is_free(first, last):
                    self._take("device", " ".join(name), first, last)

    def _find_serials(self) -> None:
        for first in range(len(self.words)):
            for last in range(min(len(self.words), first + _LONGEST_SERIAL), first, -1):
                said = self.utterance.slice(self.utterance.span(first, last))
                # A serial number of plain letters would be an ordinary word.
                is_code = len(said) <= _LONGEST_CODE and any(not each.isalpha() and each != " " for each in said)
                found = self.fleet.with_id(said) or (self.fleet.with_serial(said) if is_code else 0)
                if found and self._is_free(first, last):
                    self.exact.append((first, last, found))
                    self._take("serial", said, first, last)
                    break

    def _find_names(self) -> None:
        """Names in full come before any hint: a machine may be called "Light Tower"."""
        links = self.lexicon.sets["links"]
        reach = self.fleet.longest_name + 3
        for first in range(len(self.words)):
            if self.words[first] in links:
                continue
            for last in range(min(len(self.words), first + reach), first, -1):
                inside = [self.plain[place] for place in range(first, last) if self.words[place] not in links]
                if self._is_free(first, last) and self.words[last - 1] not in links and self._is_name(inside):
                    self._take("device", " ".join(inside), first, last)
                    break

    def _is_name(self, inside: list[str]) -> bool:
        # A name of one word may be an ordinary word as well ("Light"); the mention's own look-up finds it later.
        return len(inside) > 1 and bool(self.fleet.with_name(inside))

    def _find_metric_names(self) -> None:
        for first, word in enumerate(self.plain):
            for name in self.fleet.metrics_beginning_with(word):
                last = first + len(name)
                if tuple(self.plain[first:last]) == name and self._is_free(first, last):
                    self._take("metrics", "_".join(name), first, last)
                    break

    def _find_phrases(self) -> None:
        for first in range(len(self.words)):
            if self.taken[first]:
                continue
            for phrase in self.lexicon.phrases.get(self.words[first], ()):
                last = first + len(phrase.words)
                fits = tuple(self.words[first:last]) == phrase.words and self._is_free(first, last)
                if fits and self._suits(phrase, first):
                    self._take(phrase.kind, self._meaning(phrase), first, last)
                    break

    def _suits(self, phrase: Phrase, first: int) -> bool:
        before = self.words[first - 1] if first else ""
        if phrase.kind == "units":
            return bool(first) and (before[:1].isdigit() or before in self.lexicon.numbers)
        if phrase.kind == "actions" and len(phrase.words) == 1:
            # "the defrost", "start defrost", "la porta": a thing, not a doing, where the word can be both.
            also = any(
                other.kind in ("objects", "data", "metrics") and other.words == phrase.words
                for other in self.lexicon.phrases[self.words[first]]
            )
            previous = next((mark for mark in self.marks.values() if mark.last == first), None)
            return not (also and (before in self.lexicon.sets["articles"] or (previous and previous.kind == "actions")))
        if phrase.kind == "objects":
            return not self._is_rather_a_machine(phrase, first)
        return True

    def _meaning(self, phrase: Phrase) -> str:
        """An object that commands call by this very word keeps it: unlock_lid has a lid, not a door."""
        if phrase.kind != "objects" or len(phrase.words) > 1:
            return phrase.meaning
        plain = plain_word(phrase.words[0])
        known = any(self.fleet.has_command_word(name) for name in object_words(phrase.meaning))
        return plain if not known and self.fleet.has_command_word(plain) else phrase.meaning

    def _is_rather_a_machine(self, phrase: Phrase, first: int) -> bool:
        """A machine has the word in its name, and either no command has it, or it owns what was said before:
        "the speed of the belt"."""
        if not all(self.fleet.with_name_word(plain_word(word)) for word in phrase.words):
            return False
        owner = first > 0 and self.words[first - 1] in self.lexicon.sets["links"]
        thing = any(mark.kind in ("objects", "metrics") for mark in self.marks.values())
        return (owner and thing) or not any(self.fleet.has_command_word(name) for name in object_words(phrase.meaning))

    def _find_split_verbs(self) -> None:
        for verb, particle, meaning in self.lexicon.split_verbs:
            for first, word in enumerate(self.words):
                if word != verb or (self.taken[first] and self.marks.get(first, Mark("", "", 0, 0)).kind != "metrics"):
                    continue
                end = min(len(self.words), first + _PARTICLE_REACH)
                places = (place for place in range(first + 2, end) if self.words[place] == particle)
                last = next(places, None)
                if last is not None and not any(
                    mark.kind == "actions" and first < mark.first < last for mark in self.marks.values()
                ):
                    self._take("actions", meaning, first, first + 1)
                    self._take("particle", meaning, last, last + 1)

    def _find_trailing_particles(self) -> None:
        """ "kitchen light on, please": without another verb, and not in a question."""
        if any(mark.kind in ("actions", "question_words", "asks", "lists") for mark in self.marks.values()):
            return
        for place, word in enumerate(self.words):
            meaning = self.lexicon.particles.get(word)
            after_object = any(mark.kind == "objects" and mark.last == place for mark in self.marks.values())
            if meaning and after_object and not self.taken[place]:
                self._take("actions", meaning, place, place + 1)

    def _find_rest(self) -> None:
        for place, word in enumerate(self.words):
            if not self.taken[place]:
                kind, meaning = self._kind_of(place, word)
                self._take(kind, meaning, place, place + 1)

    def _kind_of(self, place: int, word: str) -> tuple[str, str]:
        sets, plain = self.lexicon.sets, self.plain[place]
        if word[0].isdigit():
            after_device = any(mark.kind in ("device", "serial") and mark.last == place for mark in self.marks.values())
            if after_device and self.fleet.with_name_word(plain):
                return "device", plain
            return ("clock", word) if _TIME in word else self._number(place, word)
        for kind in ("joins", "links", "fillers"):
            if word in sets[kind]:
                return kind, word
        if word in sets["towards"] or word in sets["relative"]:
            return "fillers", word
        return self._kind_by_fleet(word, plain)

    def _kind_by_fleet(self, word: str, plain: str) -> tuple[str, str]:
        """By the words that the machines themselves have, the strongest sign first."""
        fleet, lexicon = self.fleet, self.lexicon
        for kind, meaning, fits in (
            ("device", plain, fleet.with_name_word(plain) or (plain,) in lexicon.synonyms),
            ("number", str(lexicon.numbers.get(word)), word in lexicon.numbers),
            ("actions", plain, plain in fleet.command_verbs),
            ("metrics", plain, fleet.with_metric((plain,))),
            ("objects", plain, fleet.has_command_word(plain)),
        ):
            if fits:
                return kind, meaning
        close = fleet.find_close_word(plain) or ""
        if close:
            return "misspelt", close
        verb = "" if any(mark.kind == "actions" for mark in self.marks.values()) else _find_close_verb(word)
        if verb:
            return "actions", verb
        return ("described", plain) if fleet.with_description_word(plain) else ("unknown", plain)

    def _number(self, place: int, word: str) -> tuple[str, str]:
        start, text = self.utterance.tokens[place].start, self.utterance.text
        negative = start > 0 and text[start - 1] in "-−" and (start == 1 or not text[start - 2].isalnum())
        number = word.replace(",", ".")
        try:
            float(number)
        except ValueError:
            return "unknown", word
        return "number", f"-{number}" if negative else number


def mark_words(text: str, fleet: MemoryFleet) -> Marked:
    return _Marker(text, fleet).run()


def _find_close_verb(word: str) -> str:
    """ "acendi" for accendi: only where no other word of the message is a verb."""
    verbs = load_lexicon().verbs
    if len(word) < _SHORTEST_VERB:
        return ""
    found = process.extractOne(word, tuple(verbs), scorer=fuzz.ratio, score_cutoff=_CLOSE_VERB)
    return verbs[str(found[0])] if found else ""
