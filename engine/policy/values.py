"""What a policy consists of, and the look-up tables that are made from it once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from engine.catalogue.facts import Catalogue, Reads
from engine.dates.words import DateWords, read_date_words
from engine.decision import Act, Intent, Language, Reason, Thresholds
from engine.policy.amounts import Amounts
from engine.policy.binding import Pattern, PatternIndex, bind
from engine.policy.classes import HINT
from engine.policy.misspellings import find_variants
from engine.policy.origin import PolicyOrigin
from engine.policy.patterns import Lexicon, make_lexicon
from engine.policy.talk_weights import TalkWeights
from engine.policy.weights import Weights
from engine.text.folding import title_words

_NO_CONTENT = ("function", "light", "item", "list", "date_word")
"""The classes of words that name nothing."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A way of asking for one intent."""

    id: str
    intent: Intent
    patterns: tuple[str, ...]
    weak: bool = False
    """The words of the object are evidence too: the verb alone says little."""
    clear: bool = False
    """It speaks for itself: the words that it is made of add nothing to it."""
    unless: str = ""
    """A class of words that rule the frame out: "the garage is not done" completes nothing."""
    sets: Mapping[str, str] = field(default_factory=dict)
    """Arguments that the way of asking itself sets: "reopen ..." sets the status to pending."""
    within: str = ""
    """An argument whose value stands among the frame's own words: "prioritise ..." """


@dataclass(frozen=True, slots=True)
class Guard:
    """A way of asking for nothing: a negation, a hypothesis, a question about the tool."""

    reason: Reason
    patterns: tuple[str, ...]
    frames: tuple[str, ...] = ()
    """Beginnings of the ids of the frames it guards against; empty: all. "When I get home, remind me to …" is a
    request all the same, "when she calls, mark it as done" is none yet."""
    asked: bool = False
    """Whether it only holds in a question: "the rent is done?" """


@dataclass(frozen=True, slots=True)
class Way:
    """A way of saying something that means little by itself, and much with the store or the conversation."""

    id: str
    act: Act
    patterns: tuple[str, ...]
    intent: Intent = ""
    """Empty: that of what was done or shown last."""
    follows: tuple[str, ...] = ()
    """What was done last: one of these effects, or `question`; empty: anything or nothing."""
    needs: tuple[str, ...] = ()
    """What the message must have: `target` (its slot names something stored), `date`, `level`, `filter`, `nothing`."""
    sets: Mapping[str, str] = field(default_factory=dict)
    """Arguments that the way itself sets."""
    asks: str = ""
    """What about it is asked: a kind of argument (`date`, `level`, `note`, `status`), `count`, `next`, …"""
    worth: float = 2.5
    """How much it speaks for itself, in log-odds."""
    asked: bool | None = None
    """Whether the message must have a question mark, or must have none: "ho pagato la luce" tells, with one it asks."""


class WayKinds(NamedTuple):
    """Patterns of ways of talking as whole numbers, bit n for pattern n."""

    follows: int
    """Only after something else."""
    dated: int
    asking: int
    """Only with a question mark."""
    telling: int
    """Only without one."""
    undoing: int
    correcting_target: int


@dataclass(frozen=True)
class Policy:
    version: str
    """The language and the digest: what records name. Another word in a file is another version."""
    language: Language
    catalogue: Catalogue
    """The tools that its intents stand for."""
    digest: str
    """A short hash over all files that the policy was read from, its weights among them."""
    source: Mapping[str, Any]
    """The sections as plain data: what `serialise` writes and `compare` looks at."""
    thresholds: Thresholds
    amounts: Amounts
    tag_order: tuple[str, ...]
    """The most telling class of a word, first: what pairs of words are observed as."""
    spellings: Mapping[str, str]
    elisions: frozenset[str]
    words: Mapping[str, tuple[str, ...]]
    frames: tuple[Frame, ...]
    guards: tuple[Guard, ...]
    replies: Mapping[str, str]
    ways: tuple[Way, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    talk: TalkWeights = field(default_factory=TalkWeights)
    """What speaks for what a message does in a conversation."""
    word_stems: Mapping[str, str] = field(default_factory=dict)
    """Words whose stem no ending tells: "paid" -> "pay"."""
    endings: tuple[str, ...] = ()
    """What a word loses on the way to its stem, the longest first."""
    real_words: frozenset[str] = field(default=frozenset(), repr=False)
    """Words of the language beside those that were learned from: none of them is a slip."""
    abbreviations: frozenset[str] = frozenset()
    """Words whose full stop ends no sentence: "Dr. Bell"."""
    past_endings: tuple[str, ...] = ()
    """How a verb ends that tells what was done, where no list of words says so: "ed" in "renewed"."""
    going_endings: tuple[str, ...] = ()  # that tells what is going on: "ing" in "ringing"
    inner_endings: tuple[str, ...] = ()  # that may stand before another one: "delivery" is of "deliver"
    doubled: frozenset[str] = frozenset()  # letters that a word doubles before an ending: "plan", "planning"
    slot_needs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Slot -> classes of which its words must have one."""
    weights: Weights = field(default_factory=Weights)
    name: str = ""
    """The language as people call it: "English"."""
    clitics: Mapping[str, str] = field(default_factory=dict)
    """What verbs carry at their end, each with what it stands for: "lo" in "accendilo" is a thing, "mi" a person."""
    stems: Mapping[str, str] = field(default_factory=dict)
    """The endings of verbs that take them, each as it is then: "accendere" is "accender" before "lo"."""
    dates: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The words of dates as plain data."""
    origin: PolicyOrigin | None = field(default=None, repr=False, compare=False)
    """Where it was read from: knows the line of each entry."""
    inherited: frozenset[str] = field(default=frozenset(), repr=False)
    """What it has from what all domains say in its language (`words.det`): nothing of it need be used here."""

    @property
    def bases(self) -> tuple[Path, ...]:
        """The folders that it stands on, the nearest first."""
        found, under = [], getattr(self.origin, "under", None)
        while under is not None and under.folder:
            found.append(under.folder)
            under = getattr(under, "under", None)
        return tuple(found)

    @cached_property
    def date_words(self) -> DateWords:
        return read_date_words(self.dates, self.language)

    @cached_property
    def reading_words(self) -> Mapping[str, tuple[str, ...]]:
        """The classes that requests are read by: hints say nothing about what is asked for."""
        return {name: phrases for name, phrases in self.words.items() if not name.startswith(HINT)}

    @cached_property
    def lexicon(self) -> Lexicon:
        return make_lexicon(self.reading_words)

    @cached_property
    def frame_patterns(self) -> tuple[tuple[Frame, Pattern], ...]:
        return tuple((frame, bind(source, self.lexicon)) for frame in self.frames for source in frame.patterns)

    @cached_property
    def frame_index(self) -> PatternIndex:
        return PatternIndex([pattern for _, pattern in self.frame_patterns])

    @cached_property
    def conditional_patterns(self) -> int:
        """Those of the `frame_patterns` of which a fit has to be looked at once more, bit n for pattern n."""
        looked_at = self.catalogue.renaming.union(self.slot_needs)
        return sum(
            1 << place
            for place, (frame, pattern) in enumerate(self.frame_patterns)
            if frame.unless or not looked_at.isdisjoint(pattern.slots)
        )

    @cached_property
    def tags(self) -> Mapping[str, str]:
        """The most telling class of each word: what "pair of tags" observations are made of."""
        return {
            word: next((f"<{name}>" for name in self.tag_order if name in classes), word)
            for word, classes in self.word_classes.items()
        }

    @cached_property
    def misspellings(self) -> Mapping[str, tuple[str, ...]]:
        """What the words of the class `misspelt` look like with a letter left out."""
        cues = [word for name in self.words if name.startswith("cue_") for word in self.words[name] if " " not in word]
        return find_variants((*self.words.get("misspelt", ()), *cues), self.amounts.shortest_misspelt)

    @cached_property
    def splitters(self) -> frozenset[str]:
        """Words before which a new request may begin: "and", "then"."""
        return frozenset(word for word, classes in self.word_classes.items() if "splitter" in classes)

    @cached_property
    def small_words(self) -> frozenset[str]:
        """Words that name nothing: articles, prepositions, "was"."""
        return frozenset(self.words.get("small_word", ()))

    @cached_property
    def empty_words(self) -> frozenset[str]:
        """Words that are in any sentence, that ask for something or say when: that a title has them, too, says
        nothing."""
        return frozenset(
            part
            for name in _NO_CONTENT
            for phrase in self.words.get(name, ())
            for part in (*phrase.split(), *title_words(phrase))
        )

    @cached_property
    def function_words(self) -> frozenset[str]:
        """ "the", "my", "with": they tell no title from another."""
        return frozenset(part for word in self.words.get("function", ()) for part in title_words(word))

    @cached_property
    def pointing_words(self) -> frozenset[str]:
        """Single words that point at what was spoken of: "it", "that"."""
        return frozenset(word for name in ("pronoun", "clitic") for word in self.words.get(name, ()) if " " not in word)

    @cached_property
    def asked_before(self) -> dict[str, Intent]:
        """What messages ask for by their words alone, where it was looked for already: a conversation comes again
        with each of its messages."""
        return {}

    @cached_property
    def titles(self) -> dict[tuple[str, str], Any]:
        """What was made of titles already, and for what: the store comes up with the same ones for each message."""
        return {}

    @cached_property
    def stems_found(self) -> dict[str, str]:
        """Of words that were asked about: those of titles are asked about again and again."""
        return {}

    @cached_property
    def level_classes(self) -> Mapping[str, Mapping[str, str]]:
        """Tool -> the classes of words for the level that it takes, each with the level it means."""
        kinds: tuple[Reads, ...] = ("level", "level_filter")
        return {
            facts.name: {
                name: level for kind in kinds for name, level in self.catalogue.classes_of(facts, kind).items()
            }
            for facts in self.catalogue.tools
        }

    @cached_property
    def level_words(self) -> Mapping[str, frozenset[str]]:
        """Tool -> the words that a phrase for one of its levels can begin with."""
        return {
            tool: frozenset(phrase.split()[0] for name in classes for phrase in self.words.get(name, ()))
            for tool, classes in self.level_classes.items()
        }

    @cached_property
    def guard_patterns(self) -> tuple[tuple[Guard, Pattern], ...]:
        return tuple((guard, bind(source, self.lexicon)) for guard in self.guards for source in guard.patterns)

    @cached_property
    def guard_index(self) -> PatternIndex:
        return PatternIndex([pattern for _, pattern in self.guard_patterns])

    @cached_property
    def way_patterns(self) -> tuple[tuple[Way, Pattern], ...]:
        return tuple((way, bind(source, self.lexicon)) for way in self.ways for source in way.patterns)

    @cached_property
    def way_kinds(self) -> WayKinds:
        """Which of the `way_patterns` are of ways that need something of the situation."""

        def those(needs_it: Callable[[Way], bool]) -> int:
            return sum(1 << place for place, (way, _) in enumerate(self.way_patterns) if needs_it(way))

        return WayKinds(
            follows=those(lambda way: bool(way.follows)),
            dated=those(lambda way: "dated" in way.needs),
            asking=those(lambda way: way.asked is True),
            telling=those(lambda way: way.asked is False),
            undoing=those(lambda way: way.act == "undo"),
            correcting_target=those(lambda way: way.act == "correct" and "target" in way.needs),
        )

    def vary(self, **changes: Any) -> Policy:
        """The policy with other numbers, or without its talk. Look-up tables of what stays stay: they are dear."""
        if not changes.keys() <= _NUMBERS_AND_TALK:
            raise ValueError(f"tables are made of {sorted(changes.keys() - _NUMBERS_AND_TALK)}: make a policy anew")
        varied = replace(self, **changes)
        for name in _WORD_TABLES if "ways" in changes else _WORD_TABLES | _WAY_TABLES:
            varied.__dict__[name] = getattr(self, name)
        return varied

    def by_words_alone(self) -> Policy:
        """The same policy, deaf to what a message means only by the store and the conversation."""
        return self.vary(ways=(), talk=TalkWeights())

    @cached_property
    def way_index(self) -> PatternIndex:
        return PatternIndex([pattern for _, pattern in self.way_patterns])

    @cached_property
    def word_classes(self) -> Mapping[str, frozenset[str]]:
        """Single words with the classes they belong to."""
        found: dict[str, set[str]] = {}
        for name, phrases in self.reading_words.items():
            for phrase in phrases:
                if " " not in phrase:
                    found.setdefault(phrase, set()).add(name)
        return {word: frozenset(classes) for word, classes in found.items()}


_OWN = frozenset({"asked_before"})
"""What a policy keeps for itself: messages were read by its own numbers."""
_WAY_TABLES = frozenset({"way_patterns", "way_index", "way_kinds"})
_WORD_TABLES = frozenset(name for name, value in vars(Policy).items() if isinstance(value, cached_property)) - (
    _OWN | _WAY_TABLES
)
"""What is made of a policy's words, frames and guards, and takes long."""
_NUMBERS_AND_TALK = frozenset({"version", "thresholds", "weights", "ways", "talk"})
"""None of the tables of words is made of these."""
