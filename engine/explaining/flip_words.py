"""Variations of what was said, of the tasks in reach and of the conversation, for `engine.explaining.flips`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from engine.explaining.anatomy import dissect
from engine.explaining.trial import Trial
from engine.policy.values import Policy
from engine.text.normalise import Token, normalise
from engine.values import Task

_MOST_WORDS = 30
_ADDED_RUNS = 90
_TELLING_CLASSES = ("item", "every", "show", "add", "delete", "done_word", "pronoun")
_TELLING_WORDS = 3
_OTHER_TITLE = "something else"


def try_words_left_out(trial: Trial) -> None:
    tokens = _tokens(trial)
    if len(tokens) < 2:
        return
    for token in tokens[:_MOST_WORDS]:
        trial.keep("word left out", f"without “{_said(trial, token)}”", 1, _without(trial.text, token, token))
    if any(flip.kind == "word left out" for flip in trial.found) or len(tokens) < 3:
        return
    for first, last in pairwise(tokens[:_MOST_WORDS]):
        words = trial.text[first.start : last.end]
        trial.keep("word left out", f"without “{words}”", 2, _without(trial.text, first, last))


def try_words_added(trial: Trial) -> None:
    """Words that the reading listens for, at the beginning, after the first word and at the end."""
    anatomy = dissect(trial.text, trial.context, trial.decider)
    tokens = _tokens(trial)
    if not tokens or not anatomy.requests:
        return
    rivals = sorted(anatomy.requests[0].outcome.scores, key=lambda score: -score.score)[:3]
    telling = anatomy.telling or _telling_words(anatomy.policy, [score.intent for score in rivals])
    words = list(dict.fromkeys(telling))
    present = {token.norm for token in tokens}
    runs_before = trial.runs
    for word in words:
        if word in present:
            continue
        for place, where in ((tokens[0].start, "first"), (tokens[0].end, "second"), (len(trial.text), "last")):
            if trial.runs - runs_before >= _ADDED_RUNS:
                return
            text = f"{trial.text[:place]} {word} {trial.text[place:].lstrip()}".strip()
            trial.keep("word added", f"with “{word}” as the {where} word", 1, text)


def _telling_words(policy: Policy, intents: list[str]) -> Iterator[str]:
    negations = [word for word in policy.words.get("negation", ()) if len(word) > 2]
    yield from sorted(negations, key=len)[:1]  # "not", "non"
    for name in _TELLING_CLASSES:
        yield from policy.words.get(name, ())[:1]
    singles = [(name.removeprefix("word:"), vector) for name, vector in policy.weights.evidence.items()]
    for intent in intents:
        place = policy.catalogue.intents.index(intent)
        words = [(vector[place], word) for word, vector in singles if word.isalpha() and len(word) > 1]
        yield from (word for _, word in sorted(words, reverse=True)[:_TELLING_WORDS])


def try_targets(trial: Trial) -> None:
    """What was looked at gone or renamed; where nothing fits, something called by the words of the mention."""
    for reference in trial.before.references:
        looked_at = [task for each in reference.candidates if (task := _task(trial, each.task_id))]
        for rank, task in enumerate(looked_at, start=1):
            _try_without(trial, task, rank)
            _try_renamed(trial, task, rank)
        if reference.task_id is None and trial.tasks and reference.mention.strip():
            nearest = looked_at[0] if looked_at else trial.tasks[-1]
            _keep_renamed(trial, nearest, reference.mention.strip(), 1)


def _try_without(trial: Trial, task: Task, size: float) -> None:
    rest = tuple(each for each in trial.tasks if each.id != task.id)
    context = replace(trial.context, tasks=trial.make_index(rest))
    trial.keep("target", f"if {_name(trial, task)} were gone", size, context=context)


def _try_renamed(trial: Trial, task: Task, size: float) -> None:
    """The smallest rename: one word of the title left out; else another title altogether."""
    words = task.title.split()
    shorter = [" ".join(words[:place] + words[place + 1 :]) for place in range(len(words))] if len(words) > 1 else []
    for title in (*shorter[:6], _OTHER_TITLE):
        if _keep_renamed(trial, task, title, size + 0.5):
            return


def _keep_renamed(trial: Trial, task: Task, title: str, size: float) -> bool:
    renamed = tuple(replace(each, title=title) if each.id == task.id else each for each in trial.tasks)
    context = replace(trial.context, tasks=trial.make_index(renamed))
    change = f"if {_name(trial, task)} were called “{title}”"
    return trial.keep("target", change, size, context=context)


def _name(trial: Trial, task: Task) -> str:
    return f"#{task.number} “{task.title}”" if trial.catalogue.numbered else f"“{task.title}”"


def try_conversation(trial: Trial) -> None:
    context = trial.context
    if context.learned:
        trial.keep("conversation", "if no choice were remembered", 1, context=replace(context, learned=()))
    if context.pending:
        trial.keep("conversation", "if no question were waiting", 1, context=replace(context, pending=None))
    if context.history:
        shorter = replace(context, history=context.history[:-1])
        if not trial.keep("conversation", "without the last message before it", 1, context=shorter):
            trial.keep("conversation", "without the conversation before it", 2, context=replace(context, history=()))


def _task(trial: Trial, task_id: str) -> Task | None:
    return next((task for task in trial.tasks if task.id == task_id), None)


def _tokens(trial: Trial) -> tuple[Token, ...]:
    return normalise(trial.text).tokens


def _said(trial: Trial, token: Token) -> str:
    return trial.text[token.start : token.end]


def _without(text: str, first: Token, last: Token) -> str:
    return f"{text[: first.start].rstrip()} {text[last.end :].lstrip()}".strip()
