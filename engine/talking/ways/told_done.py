"""What is told as done in few words, without a way of asking: "turf laid at last", "deposit paid!", "keys sent to Bo".

A word that tells of what was done stands beside words of one open task, and nothing else is said before the first
pause. Where that word is the task's own verb, or the task has none, it is done; where more is told, or only the start
of a sentence tells a deed ("dropped Mr Hale at the station"), it is offered.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Candidate, Factor, Reference
from engine.outcome.judging import offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.questions import begins_as_one
from engine.slots.draft import Draft
from engine.slots.titles import date_spans, inside
from engine.talking.basis import Basis, judge_with
from engine.talking.clauses import tells_deed
from engine.talking.names.naming import is_chore, is_like_one
from engine.talking.values import Told
from engine.talking.ways.same_deed import (
    end_of_deed,
    has_helped,
    is_form_of,
    is_object,
    is_same_deed,
    tells_any_deed,
    tells_state,
)
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.values import Task

_LONGEST, _LOOKED_AT = 24, 8
_SURE, _LIKELY, _HALF = 0.88, 0.6, 0.5
_NOT_TOLD = frozenset({"still_to_come", "hypothetical", "wants_it_done"})
""" "I want the shirts ironed": not done."""
_BESIDE = frozenset({"opener", "interjection", "closer", "thanks", "courtesy", "done_aside", "date_word", "past_aux"})
_ASKS = frozenset({"cue_move", "add", "cue_add", "note_word"})
_PAUSES = ",.;:!?-–—(\n"
_MOST_BESIDE = 3
"""Words that the task does not have, where it is still offered."""


class ToldDone(NamedTuple):
    task: Task
    own: bool
    """Whether the word that tells it is the task's own verb, or one for the same deed."""
    bare: bool
    """Whether the task's name has no verb."""
    named: frozenset[int]
    share: float
    """How much of the task's name is said, its verb aside."""
    whole: bool | None = None
    """Whether nothing but the task is told up to the pause; None where it is not even likely that it is done."""


def tell_done(told: Told, heard: tuple[Outcome, ...] = ()) -> tuple[Outcome, ...] | None:
    """The one task that the message tells is done, finished or offered; None for all other messages, and where
    something else is asked for after the first pause."""
    found = find_told_done(told)
    if found is None or found.whole is None or (heard and _goes_on_to_another(found, told)):
        return None
    return finish(found, told, surely=bool(found.whole))


def _goes_on_to_another(found: ToldDone, told: Told) -> bool:
    """ "I swept the yard, and the hedge has to be Sunday", "I rang them, move it to Sunday"."""
    words, policy, stop = told.reading.scene.words, told.policy, _first_pause(told)
    if stop == len(words):
        return False
    first = next((word for word in words[stop:] if word not in policy.small_words), "")
    asks = not _ASKS.isdisjoint(policy.word_classes.get(first, ()))
    return asks or bool(told.dates and _names_another(found, stop, told))


def _names_another(found: ToldDone, stop: int, told: Told) -> bool:
    """Whether a word after the pause is in the name of something else that is open."""
    words, policy = told.reading.scene.words[stop:], told.policy
    said = {stem(word, policy) for word in words if word not in policy.small_words}
    tasks = told.context.tasks.candidates(" ".join((*words, *said)), _LOOKED_AT)
    others = [each for each in tasks if each.id != found.task.id and isinstance(each, Task)]
    still_open = policy.catalogue.states[0]
    return any(
        not said.isdisjoint(stem(word, policy) for word in title_words(each.title) if word not in policy.small_words)
        for each in others
        if each.status == still_open
    )


def find_told_done(told: Told) -> ToldDone | None:
    """The one task that is told of, and how surely."""
    words, policy = told.reading.scene.words, told.policy
    if told.reading.guard or "?" in told.reading.utterance.own_text or len(words) > _LONGEST:
        return None
    stop = _first_pause(told)
    places = [place for place in range(stop) if _tells(words, place, policy)]
    if not places or _is_otherwise(words, stop, policy):
        return None
    helped = "past_others" in policy.lexicon.names(words[:stop])
    for place in places:
        found = _find_fitting(place, stop, told)
        if found:
            whole = _is_all(found, place, stop, told, helped=helped)
            gone = tells_state(words, place, policy) and words[place] != title_words(found.task.title)[0]
            return found._replace(whole=False if whole and gone else whole)  # "Mum's out"
    return None


def _tells(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "Mum's" is no form of a verb."""
    return (tells_deed(words[place], policy) and "'" not in words[place]) or tells_state(words, place, policy)


def _first_pause(told: Told) -> int:
    """Where the first pause is: what is told after it is told besides."""
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    for place in range(1, min(len(tokens), len(told.reading.scene.words))):
        if any(sign in text[tokens[place - 1].end : tokens[place].start] for sign in _PAUSES):
            return place
    return len(told.reading.scene.words)


def _is_otherwise(words: tuple[str, ...], stop: int, policy: Policy) -> bool:
    """Whether it asks, denies, or tells what is still to come, or what somebody else did."""
    names = policy.lexicon.names(words[:stop])
    if "past_others" in names and not _have_helped(words[:stop], policy):
        return True
    if not names.isdisjoint(_NOT_TOLD) or (begins_as_one(words, policy) and not tells_any_deed(words[0], policy)):
        return True
    denied = "negation" in policy.lexicon.names(words)  # seldom
    return denied and any("negation" in policy.word_classes.get(word, ()) for word in words)


def _have_helped(words: tuple[str, ...], policy: Policy) -> bool:
    """ "mio fratello ha ritirato il pacco": who did it is named; nobody knows what "she ironed them" is about."""
    said = [place for place, word in enumerate(words) if "past_others" in policy.word_classes.get(word, ())]
    return all(place and "past_aux" in policy.word_classes.get(words[place], ()) for place in said)


def _content(stop: int, told: Told) -> list[int]:
    """The places of the words that say something."""
    words, policy, utterance = told.reading.scene.words, told.policy, told.reading.utterance
    spans, aside = date_spans(told.dates, utterance), set[int]()
    for place in range(stop):
        aside.update(
            at for name, length in policy.lexicon.classes(words, place) if name in _BESIDE
            for at in range(place, place + length)
        )  # fmt: skip
    return [
        place
        for place in range(stop)
        if place not in aside and words[place] not in policy.small_words and not inside(utterance.tokens[place], spans)
    ]


def _find_fitting(place: int, stop: int, told: Told) -> ToldDone | None:
    """The one open task that fits best; None where another fits as well."""
    words, policy = told.reading.scene.words, told.policy
    content = [at for at in _content(stop, told) if at != place]
    if not content:
        return None
    asked = " ".join([*(words[at] for at in content), *(stem(words[at], policy) for at in content)])
    tasks = [each for each in told.context.tasks.candidates(asked, _LOOKED_AT) if isinstance(each, Task)]
    still_open, state = policy.catalogue.states[0], tells_state(words, place, policy)
    fits = [
        _fit(task, place, content, told)
        for task in tasks
        if task.status == still_open and (state or words[place] not in title_words(task.title))
    ]
    settled = place < content[0] or not {"did", "settled"}.isdisjoint(policy.word_classes.get(words[place], ()))
    told_so = settled and not _is_to_come(told)
    ranked = sorted((each for each in fits if each.named and (each.own or told_so)), key=_rank, reverse=True)
    if not ranked or (len(ranked) > 1 and _rank(ranked[0])[:2] == _rank(ranked[1])[:2]):
        return None
    return ranked[0]


def _is_to_come(told: Told) -> bool:
    """ "the entries are extended until Tuesday": a day to come says until when, unless the verb is its own."""
    today = told.context.now.date().isoformat()
    return any(date.value[: len(today)] > today for date in told.dates)


def _rank(fit: ToldDone) -> tuple[int, bool, float]:
    return len(fit.named), fit.own, fit.share


def _fit(task: Task, place: int, content: list[int], told: Told) -> ToldDone:
    words, policy = told.reading.scene.words, told.policy
    title = title_words(task.title)
    sends = bool(title) and "sending" in policy.word_classes.get(title[0], ())
    verb = title[0] if title and (sends or is_chore(title[0], policy)) else ""
    said = stem(words[place], policy)
    state = tells_state(words, place, policy)
    own = bool(title) and (state or words[place] != title[0]) and is_form_of(said, title[0], policy)
    nouns = frozenset(stem(word, policy) for word in (title[1:] if verb or own else title) if _says(word, policy))
    own = own or (sends and "gone_off" in policy.word_classes.get(words[place], ()))
    own = own or is_same_deed(words, place, title, policy) or (state and words[place] == title[-1])
    own = own or (len(title) > 1 and tells_any_deed(words[place], policy) and content[0] > place)
    stems = {at: stem(fold(words[at]), policy) for at in content}
    named = frozenset(at for at, word in stems.items() if word in nouns or _is_slip(words[at], word, nouns, policy))
    if verb and not own:
        named = frozenset() if len(named) < _TWO else named
    share = len({stems[at] for at in named}) / len(nouns) if nouns else 0.0
    return ToldDone(task, own, not verb, named, share)


_TWO = 2


def _says(word: str, policy: Policy) -> bool:
    return word not in policy.small_words


def _is_slip(word: str, stemmed: str, nouns: frozenset[str], policy: Policy) -> bool:
    real = word in policy.real_words or word in policy.weights.vocabulary
    return not real and is_like_one(stemmed, nouns)


def _is_all(fit: ToldDone, place: int, stop: int, told: Told, *, helped: bool) -> bool | None:
    """Whether nothing but the task is told up to the pause; None where it is not even likely."""
    words, policy = told.reading.scene.words, told.policy
    content = _content(stop, told)
    beside = [at for at in content if at not in fit.named and at != place]
    before = [at for at in fit.named if at < place]
    if before and _is_deed_of_named(place, before, stop, told):
        return None
    short = "did" in policy.word_classes.get(words[place], ())  # "got", which names nothing; "put" asks for something
    first = content[0] == place or (content[0] > place and short)
    aim = is_object(end_of_deed(words, place, policy), stop, _aimed_at(fit, words, policy), frozenset(beside))
    if helped or not (before or first):  # "my brother has fixed the gate"
        return False if aim and fit.own and fit.share >= _HALF and has_helped(words, place, policy) else None
    if first and tells_any_deed(words[place], policy):
        return not beside if aim else None  # "did the coats", not "did the coats arrive"
    if (fit.own or fit.bare) and not beside:
        plain = bool(before) or "did" in policy.word_classes.get(words[place], ())
        return plain or (fit.share >= _HALF if fit.own and first else None)
    if fit.own and first and aim:
        return False  # "called Gran on the way home"
    likely = len(fit.named) >= _TWO and fit.share >= _LIKELY and len(beside) <= _MOST_BESIDE
    said = bool(before) and fit.share >= _HALF and len(beside) == 1  # "photos sent to Gran"
    plain = place - 1 in before and not fit.own and fit.bare  # "minutes sent to the group", of "Minutes for June"
    return False if (likely and (fit.own or first)) or (said and (fit.own or plain)) else None


def _aimed_at(fit: ToldDone, words: tuple[str, ...], policy: Policy) -> frozenset[int]:
    """The words of what its deed is done to: the shoes of "Buy shoes for Leo"."""
    title = title_words(fit.task.title)
    first = next((at for at in range(1, len(title)) if _says(title[at], policy)), 0)
    last = next((at for at in range(first, len(title)) if not _says(title[at], policy)), len(title))
    aimed = {stem(word, policy) for word in title[first:last]}
    named = frozenset(at for at in fit.named if stem(fold(words[at]), policy) in aimed)
    return fit.named if named else named


def _is_deed_of_named(place: int, before: list[int], stop: int, told: Told) -> bool:
    """ "Anna called", "Dave collected the keys": whoever is named did it. After what was done nothing follows that
    could be its object; a preposition may ("keys collected from Dave")."""
    words, policy = told.reading.scene.words, told.policy
    if "news_did" in policy.lexicon.names(words[place : place + 1]):
        return True
    spans = date_spans(told.dates, told.reading.utterance)
    following = place + 1 if place + 1 < stop else None
    if following is None or inside(told.reading.utterance.tokens[following], spans):
        return False
    classes = policy.word_classes.get(words[following], frozenset())
    content = words[following] not in policy.small_words and not _BESIDE & classes
    return content or "det" in classes


def finish(found: ToldDone, told: Told, *, surely: bool) -> tuple[Outcome, ...] | None:
    policy, facts = told.policy, told.policy.catalogue.by_effect.get("finish")
    if facts is None:
        return None
    stop = len(told.reading.scene.words)
    span = told.reading.utterance.span(min(found.named), max(found.named) + 1)
    reference = Reference(found.task.title, span, (Candidate(found.task.id, 0.9, "partial"),), found.task.id)
    sure = _SURE if surely else _ONLY_LIKELY
    basis = Basis("move:told done", "request", sure, (Factor("told as done", sure, span),), 0, stop)
    outcome = judge_with(basis, facts, Draft(facts.intent), reference, told)
    if not surely and outcome.action == "execute" and outcome.call:
        return (offer(outcome, outcome.call, told.context, policy),)
    return (outcome,)


_ONLY_LIKELY = 0.68
