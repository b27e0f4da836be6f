"""What the words and the weights of a policy are worth on the chosen cases, beside its rules (`evals/worth.py`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.message.read import read_message
from engine.policy.values import Policy
from engine.text.normalise import normalise
from evals.case import Case
from evals.worth import RuleWorth, messages_of


def weigh_classes(cases: Iterable[Case], policy: Policy, domain: str) -> tuple[RuleWorth, ...]:
    """In how many messages a phrase of each class is said, and how many of its phrases nobody says."""
    fires: Counter[str] = Counter()
    said: set[tuple[str, tuple[str, ...]]] = set()
    for _, text, _, _ in messages_of(cases, policy, domain):
        words = normalise(text, policy.spellings, policy.elisions).words
        here = {
            (name, words[place : place + length])
            for place in range(len(words))
            for name, length in policy.lexicon.classes(words, place)
        }
        said |= here
        fires.update({name for name, _ in here})
    worths = [
        RuleWorth(
            f"words:{name}",
            "words",
            "",
            len(phrases),
            fires[name],
            fires[name],
            unused=sum((name, tuple(phrase.split())) not in said for phrase in phrases),
        )
        for name, phrases in policy.reading_words.items()
    ]
    return tuple(sorted(worths, key=lambda worth: (-worth.look, worth.rule)))


def weigh_evidence(cases: Iterable[Case], policy: Policy, domain: str) -> tuple[RuleWorth, ...]:
    """In how many messages each thing that has weights is observed, and in how many of these that is asked for which
    it speaks for most."""
    fires: Counter[str] = Counter()
    wrong: dict[str, list[str]] = {}
    intents, table = policy.catalogue.intents, policy.weights.evidence
    speaks_for = {name: intents[max(range(len(values)), key=values.__getitem__)] for name, values in table.items()}
    for case, text, context, accepted in messages_of(cases, policy, domain):
        utterance = normalise(text, policy.spellings, policy.elisions)
        requests = read_message(utterance, context, policy)[0] if utterance.tokens else ()
        for name in {each.name for request in requests for each in request.weighed.reading.observations}:
            fires[name] += 1
            if speaks_for[name] not in accepted:
                wrong.setdefault(name, []).append(case.id)
    worths = [
        RuleWorth(
            name,
            "weight",
            speaks_for[name],
            1,
            fires[name],
            fires[name] - len(wrong.get(name, ())),
            wrong_messages=tuple(wrong.get(name, ())),
        )
        for name in table
    ]
    return tuple(sorted(worths, key=lambda worth: (-worth.look, worth.rule)))
