"""The stored tasks that a message mentions anywhere, each by the words that say so."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Context
from engine.making import maker
from engine.policy.values import Policy
from engine.talking.names.naming import SHORTEST_LIKE, is_chore, is_like_one, is_real, keep_of_title
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance
from engine.values import Span, Task

_LOOKED_AT = 10
_MOST_WORDS = 14
_CHORE_WEIGHT = 0.35
"""What "buy" and "call" in a title say beside its other words."""
_COMMON = frozenset({"chore", "quality", "empty"})
_NAMED_FROM = 0.5
_SHORTEST_TELLING = 3
_FEW = 3


class MentionedTask(NamedTuple):
    task: Task
    fit: float
    """The share of the title that the message says, by weight."""
    places: tuple[int, ...]
    span: Span
    named: bool
    """Enough of it is said to be sure that it is meant; else a word that only it has."""
    slips: bool = False
    """Whether a word is only like one of its own."""


_make_mentioned = maker(MentionedTask)


def find_mentioned(
    utterance: Utterance, words: tuple[str, ...], content: tuple[int, ...], context: Context, policy: Policy
) -> tuple[MentionedTask, ...]:
    """Best first; of tasks that the same words mention, those that they fit best."""
    if not content:
        return ()
    tasks, classes = _candidates(words, content[:_MOST_WORDS], context), policy.word_classes
    titles = [keep_of_title("mention", task.title, policy, _read_title) for task in tasks]
    titled = frozenset().union(*[each.names for each in titles])
    brief = len(content) <= _FEW  # in a longer message "the washing" is any washing
    asked: list[_Asked] = []
    for place in content[:_MOST_WORDS]:
        word = stem(fold(words[place]), policy)
        begins = f" {word}" if len(word) >= SHORTEST_LIKE else ""
        # "cane", where a title has it, is no slip of "pane"
        may_slip = word not in titled and not is_real(words[place], policy)
        noun = brief and place > 0 and "det" in classes.get(words[place - 1], _NONE)
        asked.append(_make_asked((place, word, begins, may_slip, noun)))
    pairs = zip(tasks, titles, strict=True)
    found = [each for task, title in pairs if (each := _mention(task, title, asked, utterance))]
    still_open = policy.catalogue.states[0]
    found.sort(key=lambda each: (-each.fit, each.task.status != still_open))
    return _without_overshadowed(found)


def told_as_limit(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> frozenset[int]:
    """The words of "before the match": what stands after such a word, up to a pause, says only until when."""
    text, tokens, found = utterance.text, utterance.tokens, set()
    if policy.lexicon.names(words).isdisjoint(_LIMITS):  # nearly always
        return frozenset()
    for place in range(len(words)):
        for end in (end for name in _LIMITS for end in policy.lexicon.ends(name, words, place)):
            for after in range(end, len(words)):
                paused = after and text[tokens[after - 1].end : tokens[after].start].strip()
                if (after > end and paused) or words[after] in policy.splitters:
                    break
                found.add(after)
    return frozenset(found)


_LIMITS = ("earlier_than", "later_than")


def told_as_reason(words: tuple[str, ...], policy: Policy) -> frozenset[int]:
    """The words of "because I need it for the wedding", where "it" was asked about before that."""
    names = policy.lexicon.names(words)
    if _REASON not in names or names.isdisjoint(_POINTING):  # nearly always
        return frozenset()
    points = next((at for at, word in enumerate(words) if _POINTING & policy.word_classes.get(word, _NONE)), len(words))
    why = next((end for at in range(points, len(words)) for end in policy.lexicon.ends(_REASON, words, at)), None)
    return frozenset() if why is None else frozenset(range(why, len(words)))


def told_after_order(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> frozenset[int]:
    """The words of a clause behind an order that tells something: "put the plants down for Tuesday, Anna has them"."""
    text, tokens = utterance.text, utterance.tokens
    if "," not in text or not words:
        return frozenset()  # most messages
    begins = next((at for at, word in enumerate(words) if not _LEADS & policy.word_classes.get(word, _NONE)), 0)
    if not is_chore(words[begins], policy) and not (begins and _takes_back(words[begins], policy)):
        return frozenset()
    cuts = [at for at in range(1, len(tokens)) if "," in text[tokens[at - 1].end : tokens[at].start]]
    if not cuts:
        return frozenset()  # the comma is in another clause
    clauses = zip(cuts, [*cuts[1:], len(tokens)], strict=True)
    return frozenset(at for start, end in clauses if _tells(words[start:end], policy) for at in range(start, end))


def _takes_back(word: str, policy: Policy) -> bool:
    """ "actually scrap that, Maggie does the wrapping"."""
    return "cue_off" in policy.word_classes.get(word, _NONE)


_LEADS = frozenset({"opener", "corrector", "no_word", "interjection"})


def _tells(words: tuple[str, ...], policy: Policy) -> bool:
    return any(_VERBS & policy.word_classes.get(word, _NONE) for word in words[1:])


_VERBS = frozenset({"finite", "asks_first"})


_REASON, _POINTING, _NONE = "reason_word", frozenset({"just_it", "clitic"}), frozenset[str]()


def _candidates(words: tuple[str, ...], content: tuple[int, ...], context: Context) -> tuple[Task, ...]:
    """By all words at once, and by each stretch of neighbouring words: a message can name several."""
    asked = [" ".join([words[place] for place in content])]
    stretch: list[int] = []
    for place in content:
        if stretch and place - stretch[-1] > 2:
            asked.append(" ".join([words[each] for each in stretch]))
            stretch = []
        stretch.append(place)
    asked.append(" ".join([words[each] for each in stretch]))
    found: dict[str, Task] = {}
    for text in dict.fromkeys(asked):
        for task in context.tasks.candidates(text, _LOOKED_AT):
            found[task.id] = task
    return tuple(found.values())


class _Titled(NamedTuple):
    """The words of a title that say something."""

    worth: dict[str, float]
    """What each counts."""
    names: frozenset[str]
    joined: str
    """All of them, each after a space: what one begins with is found in one look."""
    total: float


def _read_title(title: str, policy: Policy) -> _Titled:
    stems = _find_stems(title, policy)
    joined = "".join([f" {word}" for word in stems])
    return _Titled(stems, frozenset(stems), joined, sum(stems.values()))


def _find_stems(title: str, policy: Policy) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in title_words(title):
        if word not in policy.small_words:
            common = not policy.word_classes.get(word, frozenset()).isdisjoint(_COMMON)
            found[stem(word, policy)] = _CHORE_WEIGHT if common else 1.0
    if not found:
        found = {stem(word, policy): 1.0 for word in title_words(title)}
    return found


class _Asked(NamedTuple):
    """A word of the message that may name something."""

    place: int
    stem: str
    begins: str
    """With a space before it, as the beginning of a longer word of a title; empty where it is too short for that."""
    may_slip: bool
    noun: bool
    """After an article: "the call" names "Call the bank", which "call" alone does not."""


_make_asked = maker(_Asked)


def _mention(task: Task, title: _Titled, asked: list[_Asked], utterance: Utterance) -> MentionedTask | None:
    titled, names, joined, total = title
    places: list[int] = []
    hits: dict[str, float] = {}
    telling = slips = False
    for place, word, begins, may_slip, noun in asked:  # in one go: it is asked of many tasks
        worth = titled.get(word)
        if worth is None:
            if not (begins and begins in joined):
                if not (may_slip and is_like_one(word, names)):
                    continue
                slips = slips or f" {word}" not in joined
            worth = _PARTLY
        places.append(place)
        hits[word] = worth
        telling = telling or ((noun or worth >= _PARTLY) and len(word) >= _SHORTEST_TELLING)
    if not places:
        return None
    fit = min(1.0, sum(hits.values()) / total)
    if fit < _NAMED_FROM and not telling:
        return None
    span = utterance.span(places[0], places[-1] + 1)
    named = fit >= _NAMED_FROM and (telling or fit == 1.0)
    return _make_mentioned((task, round(fit, 4), tuple(places), span, named, slips))


_PARTLY = 0.7
"""What a word counts that is only the beginning of one of the title, or like one."""


def _without_overshadowed(found: list[MentionedTask]) -> tuple[MentionedTask, ...]:
    """A task whose words all speak for another that fits better is not meant: it stays, last and not named."""
    if len(found) < 2:
        return tuple(found)
    kept: list[MentionedTask] = []
    lost: list[MentionedTask] = []
    best: dict[tuple[int, ...], float] = {}  # of those that the same words mention, the first one fits best
    sets: list[frozenset[int]] = []
    for each in found:
        own, fit = each.places, each.fit
        alike, places = best.get(own, 0.0), frozenset(own)
        if alike >= fit + _CLEARLY or any([places < other for other in sets]):  # noqa: C419 - a few, and asked often
            lost.append(_make_mentioned((*each[:4], False, each.slips)))
            continue
        kept.append(each)
        if own not in best:
            best[own] = fit
            sets.append(places)
    return (*kept, *lost)


_CLEARLY = 0.25
