"""Somebody got in touch: "the plumber rang". Whoever is named does something then; nothing that is to be done is done
by it, unless the deed is its own ("the plumber rang back" finishes "Wait for the plumber's call", and asks)."""

from __future__ import annotations

from engine.decision import Reference
from engine.talking.naming import is_chore
from engine.talking.noticed import Noticed
from engine.text.folding import title_words

_NEWS = "news_did"


def brings_news(noticed: Noticed, references: list[Reference]) -> bool:
    """Whether the only deed told is that the one named, before it, got in touch; of a task without a verb."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    news = [(at, end) for at in range(1, len(words)) for end in policy.lexicon.ends(_NEWS, words, at)]
    if not news:
        return False
    told = {place for at, end in news for place in range(at, end)}
    others = [at for at, word in enumerate(words) if at not in told and "did" in policy.word_classes.get(word, ())]
    tasks = [noticed.told.context.tasks.find_by_id(each.task_id or "") for each in references]
    titles = [title_words(task.title) for task in tasks if task]
    named = {place for each in noticed.mentioned for place in each.places}
    before = bool(named) and max(named) < min(at for at, _ in news)
    return before and not others and not any(title and is_chore(title[0], policy) for title in titles)
