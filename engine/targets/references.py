"""Which task a mention means. Losers stay in the Reference with their scores."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import NamedTuple

from engine.decision import Candidate, Context, Reference
from engine.making import maker
from engine.policy.amounts import Amounts
from engine.policy.classes import ORDINALS
from engine.policy.values import Policy
from engine.targets.by_day import find_by_day
from engine.targets.fitting import contains, fit_letters, fit_words
from engine.targets.numbers import find_called, is_other_number, read_number, weigh_number
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance, normalise
from engine.values import Span, Task

_CANDIDATE_LIMIT = 6
_ALIKE = 0.05
"""Titles whose fits differ by less fit alike."""
_HISTORY_LIMIT = 10
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_UUID_LENGTH = 36
_KINDS = frozenset({"det", "event"})
_PLACES = (*ORDINALS, "ordinal_last")
_make_candidate, _score = maker(Candidate), attrgetter("score")


class Mention(NamedTuple):
    """How a task is named: the words as said, and what is left without frills."""

    said: str
    name: str
    span: Span | None
    before: str = ""
    """Where it only says "it": what stands before the request."""


def name_whole_title(utterance: Utterance, context: Context) -> Mention | None:
    """The end of the message, from its second word on, where it is exactly the title of a task."""
    for token in utterance.tokens[1:]:
        said = utterance.text[token.start : utterance.tokens[-1].end]
        words = title_words(said)
        if any(title_words(task.title) == words for task in context.tasks.candidates(said, _CANDIDATE_LIMIT)):
            return Mention(said, said, Span(token.start, utterance.tokens[-1].end))
    return None


def resolve(
    mention: Mention, context: Context, policy: Policy, prefer_status: str, *, whole: bool = False
) -> Reference:
    """Try days, ids, numbers, places in the conversation, then titles; the first kind that applies decides. `whole`: a
    title that only resembles the words is not asked for, so where none is said whole, none is compared."""
    candidates = (
        find_by_day(mention.said, context, policy, prefer_status)
        or _by_identifier(mention, context, policy, prefer_status)
        or _by_position(mention, context, policy)
        or _by_name_before(mention, context, policy, prefer_status)
        or _by_pronoun(mention, context, policy)
        or _by_title(mention.name or mention.said, context, policy, prefer_status, whole=whole)
    )
    return choose(mention.said, mention.span, candidates, policy)


def is_only_name(reference: Reference, context: Context, policy: Policy, name: str = "") -> bool:
    """Whether a mention (`name` without its frills) says no more than which task is meant: "#3", "the passport one"."""
    name, best = name or reference.mention, reference.candidates[0]
    if best.how in ("number", "id"):
        numbered = read_number(name, name, policy)
        return numbered is None or not (numbered.before or numbered.after)
    task = context.tasks.find_by_id(best.task_id)
    if best.how not in ("partial", "fuzzy") or task is None:
        return True
    return len(_telling(title_words(name), policy)) <= len(title_words(task.title))


def choose(said: str, span: Span | None, candidates: tuple[Candidate, ...], policy: Policy) -> Reference:
    return Reference(said, span, candidates, _winner(candidates, policy))


def _winner(candidates: tuple[Candidate, ...], policy: Policy) -> str | None:
    """The best candidate, if it fits and nobody is close behind. An exact title beats a partial one."""
    limits = policy.thresholds
    if not candidates or candidates[0].score < limits.target:
        return None
    best = candidates[0]
    rival = next((other for other in candidates[1:] if other.score >= limits.target), None)
    alone = rival is None or best.score - rival.score >= limits.target_margin
    return best.task_id if alone or (best.how == "exact" and rival is not None and rival.how != "exact") else None


def _by_identifier(mention: Mention, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    found = _UUID.search(mention.said) if len(mention.said) >= _UUID_LENGTH else None
    if found:
        task = context.tasks.find_by_id(found.group().lower()) or context.tasks.find_by_id(found.group())
        return (Candidate(task.id, 1.0, "id"),) if task else ()
    numbered = _by_number(mention, context, policy, prefer_status)
    if numbered:
        return numbered
    task = context.tasks.find_by_id((mention.name or mention.said).strip("\"' "))
    return (Candidate(task.id, 1.0, "id"),) if task else ()


def _by_number(mention: Mention, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    """What is named in full wins over a number; where the number and the words disagree, both are candidates."""
    name = mention.name or mention.said
    numbered = read_number(mention.said, name, policy)
    if numbered is None:
        return ()
    task, words = context.tasks.find_by_number(numbered.number), title_words(name)
    called = None if numbered.plain else find_called(title_words(mention.said), numbered.number, context)
    beside = (*numbered.before, *numbered.after)
    if called and (beside or task is None or task.id == called.id):
        return _by_title(called.title, context, policy, prefer_status)
    if task is None:
        return ()
    if called:  # a task that is called "Task 3", beside another with that number
        return (Candidate(task.id, 1.0, "number"), Candidate(called.id, 1.0, "exact"))
    if not beside:
        return (Candidate(task.id, 1.0, "number"),)
    titled = _by_title(name, context, policy, prefer_status)
    best = next((each for each in context.tasks.candidates(name, 1) if titled and each.id == titled[0].task_id), None)
    if best and str(numbered.number) in title_words(best.title) and contains(title_words(best.title), words):
        return titled  # a number in a title that is said in part
    return weigh_number(task, numbered, _by_title(" ".join(beside), context, policy, prefer_status), policy)


def _by_position(mention: Mention, context: Context, policy: Policy) -> tuple[Candidate, ...]:
    """ "the second one": by the order of what was listed last. The last one is what came since, if something did."""
    words = tuple(fold(mention.said).split())
    if len(words) > policy.amounts.longest_pointer:
        return ()
    position = find_position(words, policy)
    if position is None or not _only_position(words, policy):
        return ()
    listed = next(
        (message.tasks for message in reversed(context.history[-_HISTORY_LIMIT:]) if len(message.tasks) > 1), ()
    )
    latest = next((message.tasks for message in reversed(context.history[-_HISTORY_LIMIT:]) if message.tasks), ())
    if position == -1 and len(latest) == 1 and listed and latest[0] not in listed:
        return _standing(context, latest, policy.amounts.pointed_at, "ordinal")
    if listed and -len(listed) <= position < len(listed):
        return _standing(context, (listed[position],), policy.amounts.pointed_at, "ordinal")
    if position == -1:
        return tuple(Candidate(task.id, policy.amounts.newest, "recent") for task in context.tasks.recent(1))
    return ()


def find_position(words: tuple[str, ...], policy: Policy) -> int | None:
    """0 for "first", -1 for "last"; None where no place is named."""
    if policy.lexicon.names(words).isdisjoint(_PLACES):  # nearly always
        return None
    for place in range(len(words)):
        for name, _ in policy.lexicon.among(_PLACES, words, place):
            return ORDINALS.index(name) if name in ORDINALS else -1
    return None


def _only_position(words: tuple[str, ...], policy: Policy) -> bool:
    frills = {"mention_lead", "mention_tail", "item", "det", "ordinal_last", "option_word", *ORDINALS}
    return all(frills & policy.word_classes.get(word, frozenset()) for word in words)


def _by_name_before(mention: Mention, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    """ "felt strips, make that high": what stands before is the name of something and says nothing else, whatever was
    spoken of last."""
    asked = tuple(word for word in title_words(mention.before) if word not in policy.function_words)
    found = _by_title(mention.before, context, policy, prefer_status) if asked else ()
    task = context.tasks.find_by_id(found[0].task_id) if found else None
    return found if task and contains(title_words(task.title), asked) else ()


def _by_pronoun(mention: Mention, context: Context, policy: Policy) -> tuple[Candidate, ...]:
    """The task talked about last. After a list of several "it" could be any of them."""
    if mention.said.count(" ") >= policy.amounts.longest_pointer:
        return ()
    words = normalise(mention.said, policy.spellings, policy.elisions).words
    ends = policy.lexicon.ends
    if (
        len(words) not in ends("pronoun", words, 0)
        and len(words) not in ends("clitic", words, 0)
        and not _is_kind_only(words, mention, context, policy)
    ):
        return ()
    for message in reversed(context.history[-_HISTORY_LIMIT:]):
        if len(message.tasks) == 1 or (message.tasks and message.role == "user"):
            return _standing(context, message.tasks[-1:], policy.amounts.pointed_at, "pronoun")
        if message.tasks:
            return _standing(context, message.tasks[:_CANDIDATE_LIMIT], policy.amounts.among_several, "pronoun")
    return ()


def _is_kind_only(words: tuple[str, ...], mention: Mention, context: Context, policy: Policy) -> bool:
    """ "the meeting", "that appointment": what was spoken of, unless it is none and something else is called that."""
    spoken, classes = spoken_of(context), policy.word_classes
    if len(spoken) != 1 or not all(_KINDS & classes.get(word, frozenset()) for word in words):
        return False
    if words[0] in policy.pointing_words:  # "that event"
        return True
    kinds = frozenset(title_words(" ".join([word for word in words if "event" in classes.get(word, ())])))
    called = [task.id for task in context.tasks.candidates(mention.said, _CANDIDATE_LIMIT)
              if kinds.intersection(title_words(task.title))]  # fmt: skip
    return bool(kinds) and (not called or spoken[0] in called)


def _standing(context: Context, task_ids: tuple[str, ...], score: float, how: str) -> tuple[Candidate, ...]:
    """Tasks that the conversation named and that still exist."""
    return tuple(Candidate(task_id, score, how) for task_id in task_ids if context.tasks.find_by_id(task_id))


def _by_title(
    name: str, context: Context, policy: Policy, prefer_status: str, *, whole: bool = False
) -> tuple[Candidate, ...]:
    if not name.strip():
        return ()
    amounts, spoken = policy.amounts, spoken_of(context)
    asked = title_words(name)
    tasks = context.tasks.candidates(name, _CANDIDATE_LIMIT)
    titles = [title_words(task.title) for task in tasks]
    # Letters are compared only where no title has the very words: it is slow, and then of no use.
    named = asked in titles
    if not named:
        # "the" and "with" tell no title from another.
        asked, titles = _telling(asked, policy), [_telling(titled, policy) for titled in titles]
    if whole and asked not in titles:
        return ()
    if not named and not any(contains(titled, asked) for titled in titles):
        tasks, asked, titles = _by_stems(name, asked, tasks, titles, context, policy)
        spoken = spoken if len(spoken) == 1 else ()  # by stems several are soon alike: of what was listed, any is meant
    different, numbers = frozenset(asked), frozenset(filter(str.isdigit, asked))
    scored: list[Candidate] = []
    for task, titled in zip(tasks, titles, strict=True):
        # A finished task is seldom meant where an open one fits as well, and the other way round.
        penalty = 0.0 if task.status == prefer_status else amounts.other_state
        found = fit_words(asked, different, titled, amounts, penalty, floor=named)
        if found is None and not named:
            found = fit_letters(asked, titled, name, task, amounts, penalty)
        if found and numbers and is_other_number(numbers, titled):  # near it, and yet not the one
            found = min(found[0], policy.thresholds.target - _ALIKE), found[1]
        if found:
            scored.append(_make_candidate((task.id, *found, "")))
    if len(scored) > 1 and spoken:
        scored = _prefer(spoken, scored, amounts)
    scored.sort(key=_score, reverse=True)
    return tuple(scored)


def _by_stems(
    name: str,
    asked: tuple[str, ...],
    tasks: tuple[Task, ...],
    titles: list[tuple[str, ...]],
    context: Context,
    policy: Policy,
) -> tuple[tuple[Task, ...], tuple[str, ...], list[tuple[str, ...]]]:
    """ "the photocopying" is "Photocopy the parts": where no title has the words but one has all of their stems, these
    are compared. The store knows no endings, so it is asked for the stems as well."""
    stems = tuple([stem(word, policy) for word in asked])
    if stems == asked:
        return tasks, asked, titles
    found = context.tasks.candidates(" ".join((name, *stems)), _CANDIDATE_LIMIT)
    stemmed = [tuple([stem(word, policy) for word in _telling(title_words(task.title), policy)]) for task in found]
    return (found, stems, stemmed) if any(contains(titled, stems) for titled in stemmed) else (tasks, asked, titles)


def _prefer(spoken: tuple[str, ...], scored: list[Candidate], amounts: Amounts) -> list[Candidate]:
    """Of several that fit alike, the one spoken of last is meant: the others lose."""
    best = max([each.score for each in scored if each.task_id in spoken], default=0.0)
    return [
        each._replace(score=each.score - amounts.spoken_of, lost="another was spoken of")
        if each.task_id not in spoken and best <= each.score + _ALIKE and each.score <= best + _ALIKE
        else each
        for each in scored
    ]


def _telling(words: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    """Without the words that are in any title; all of them where nothing else is left."""
    function = policy.function_words
    return tuple([word for word in words if word not in function]) or words


def spoken_of(context: Context) -> tuple[str, ...]:
    """What the conversation was about last, nothing where that was too much to mean one of them."""
    for message in reversed(context.history[-_HISTORY_LIMIT:]):
        if message.tasks:
            return message.tasks if len(message.tasks) <= _CANDIDATE_LIMIT else ()
    return ()
