"""What was to be done, told as done by its own verb: "domain renewed", where "renew domain" is what is stored."""

from __future__ import annotations

from collections.abc import Iterable

from engine.talking.values import Heard, Told
from engine.targets.stems import stem
from engine.text.folding import title_words


def looks_past(heard: Heard, told: Told) -> bool:
    place = heard.slot("past")
    word = told.reading.scene.words[place[0]] if place else ""
    irregular = word in told.policy.word_stems  # "chosen"
    return irregular or "did" in told.policy.word_classes.get(word, ()) or word.endswith(told.policy.past_endings)


def is_own_past(place: tuple[int, int], heard: Heard, told: Told) -> bool:
    """ "domain renewed", where "renew domain" is what is stored: what was to be done, told as done."""
    policy, word = told.policy, told.reading.scene.words[place[0]]
    task = told.context.tasks.find_by_id(heard.reference.task_id or "") if heard.reference else None
    title = title_words(task.title) if task else ()
    if not title or word == title[0] or stem(word, policy) not in (title[0], stem(title[0], policy)):
        return False  # "order" itself ends like a form of something else
    return _is_bare_name(heard.slot("target"), title, told)


def _is_bare_name(place: tuple[int, int] | None, title: tuple[str, ...], told: Told) -> bool:
    """Whether words of the title stand at both ends, but for an article: "the printer", not "I need the printer"."""
    if place is None:
        return False
    words, policy = told.reading.scene.words, told.policy
    stems = {stem(word, policy) for word in title}
    first = place[0] + 1 if "det" in policy.word_classes.get(words[place[0]], ()) else place[0]
    return first < place[1] and stem(words[first], policy) in stems and stem(words[place[1] - 1], policy) in stems


def names_old(heard: Heard, told: Told) -> bool:
    """ "not the piano, the stool": what is denied is what was just spoken of, and the other thing is named at once. "I
    didn't think I had all these books" denies something else."""
    old, new = heard.slot("old"), heard.slot("target")
    if old is None or new is None or "target" not in heard.way.needs:
        return True
    said = _stems(told.reading.scene.words[slice(*old)], told)
    meant = [heard.reference.task_id] if heard.reference else []
    if not _first_is_named(new, _titles(meant, told), told):
        return False
    return not said.isdisjoint(_titles(told.situation.spoken_of, told))


def _stems(words: Iterable[str], told: Told) -> set[str]:
    return {stem(word, told.policy) for word in words if word not in told.policy.small_words}


def _titles(ids: Iterable[str | None], told: Told) -> set[str]:
    tasks = [told.context.tasks.find_by_id(each) for each in ids if each]
    return {form for task in tasks if task for form in _stems(title_words(task.title), told)}


def _first_is_named(place: tuple[int, int], titled: set[str], told: Told) -> bool:
    said = [word for word in told.reading.scene.words[slice(*place)] if word not in told.policy.small_words]
    return not titled or not said or stem(said[0], told.policy) in titled
