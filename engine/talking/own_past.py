"""What was to be done, told as done by its own verb: "domain renewed", where "renew domain" is what is stored."""

from __future__ import annotations

from engine.talking.naming import stem
from engine.talking.values import Heard, Told
from engine.text.folding import title_words


def looks_past(heard: Heard, told: Told) -> bool:
    place = heard.slot("past")
    word = told.reading.scene.words[place[0]] if place else ""
    return "did" in told.policy.word_classes.get(word, ()) or word.endswith(told.policy.past_endings)


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
    """ "not the piano, the stool": what is denied is what was just spoken of. "I didn't think I had all these books"
    denies something else."""
    place = heard.slot("old")
    if place is None or "target" not in heard.way.needs:
        return True
    words, policy, situation = told.reading.scene.words, told.policy, told.situation
    said = {stem(word, policy) for word in words[slice(*place)] if word not in policy.small_words}
    titles = [task.title for each in situation.spoken_of if (task := told.context.tasks.find_by_id(each))]
    return not said or any(stem(word, policy) in said for title in titles for word in title_words(title))
