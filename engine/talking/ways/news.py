"""Somebody got in touch: "the plumber rang". Whoever is named does something then; nothing that is to be done is done
by it, unless the deed is its own ("the plumber rang back" finishes "Wait for the plumber's call", and asks)."""

from __future__ import annotations

from engine.decision import Reference
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.values import Heard, Told
from engine.targets.stems import stem
from engine.text.folding import title_words

_NEWS = "news_did"


def brings_news(noticed: Noticed, references: list[Reference]) -> bool:
    """Whether the only deed told is that the one named got in touch; of a task without a verb. A language that says
    it with two words may name them afterwards: "ha chiamato il dentista"."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    found = [(at, end) for at in range(len(words)) for end in policy.lexicon.ends(_NEWS, words, at)]
    news = [(at, end) for at, end in found if at or end - at > 1]
    if not news:
        return False
    told = {place for at, end in news for place in range(at, end)}
    others = [at for at, word in enumerate(words) if at not in told and "did" in policy.word_classes.get(word, ())]
    tasks = [noticed.told.context.tasks.find_by_id(each.task_id or "") for each in references]
    titles = [title_words(task.title) for task in tasks if task]
    named = {place for each in noticed.mentioned for place in each.places}
    before = bool(named) and max(named) < min(at for at, _ in news)
    after = bool(named) and news[0][0] == 0 and min(named) >= news[0][1]
    return (before or after) and not others and not any(title and is_chore(title[0], policy) for title in titles)


def is_news_of_it(heard: Heard, told: Told) -> bool:
    """ "ha chiamato il dentista": somebody else called, unless calling is what was to be done."""
    words, policy = told.reading.scene.words, told.policy
    ends = [end for end in policy.lexicon.ends(_NEWS, words, heard.start) if end - heard.start > 1]
    facts = policy.catalogue.by_intent.get(heard.way.intent)
    if not ends or facts is None or facts.effect != "finish":
        return False
    task = told.context.tasks.find_by_id(heard.reference.task_id or "") if heard.reference else None
    title = {stem(word, policy) for word in title_words(task.title)} if task else set()
    return stem(words[max(ends) - 1], policy) not in title
