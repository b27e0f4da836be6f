"""What each rule of a policy is worth on the chosen cases: how often it fires, whether that is right, what it conflicts
with, and which never fire. Sorted by what deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from domains.loading import load_domain
from engine.catalogue.facts import UNKNOWN
from engine.decider import RuleDecider
from engine.decision import Context
from engine.message.judged_request import JudgedRequest
from engine.message.read import read_message
from engine.policy.origin import Place
from engine.policy.rule_places import find_rule_place
from engine.policy.values import Policy
from engine.talking.moves.noticing import begin as begin_hearing
from engine.talking.ways.finding import find_ways
from engine.text.normalise import normalise
from evals.case import Case
from evals.runner import run_case
from evals.situation import begin, go_on

RuleKind = Literal["frame", "guard", "way", "words", "weight"]
_WRONG, _CONFLICT, _NEVER = 3.0, 1.0, 0.5


@dataclass(frozen=True, slots=True)
class RuleWorth:
    rule: str
    """`frame:add.item`, `way:correct.date`, `guard:negated`: the guards of one reason count together."""
    kind: RuleKind
    intent: str
    """What it asks for; of a guard, nothing."""
    patterns: int
    fires: int = 0
    right: int = 0
    """Of those, messages that mean what it says."""
    alone: int = 0
    """… and that nothing else of its kind fits."""
    conflicts: tuple[tuple[str, int], ...] = ()
    """Rules that fit the same messages and ask for something else, the most frequent first."""
    wrong_messages: tuple[str, ...] = ()
    """Ids of messages that mean something else."""
    place: Place | None = None
    unused: int = 0
    """Of its patterns or phrases, those that no message has; counted of words only."""

    @property
    def wrong(self) -> int:
        return self.fires - self.right

    @property
    def look(self) -> float:
        """How much it deserves a look: by what it gets wrong, what it quarrels with, and whether it does anything."""
        never = _NEVER if not self.fires else _NEVER * self.unused / max(1, self.patterns)
        return _WRONG * self.wrong + _CONFLICT * sum(count for _, count in self.conflicts) / 10 + never


@dataclass(frozen=True, slots=True)
class PhraseWorth:
    """A phrase of a class, and in how many messages it is said."""

    class_name: str
    phrase: str
    said: int


@dataclass
class _Tally:
    fires: int = 0
    right: int = 0
    alone: int = 0
    others: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def weigh_rules(cases: Iterable[Case], policy: Policy, domain: str) -> tuple[RuleWorth, ...]:
    """Of one language's policy. What deserves a look comes first."""
    tallies: dict[str, _Tally] = {}
    for case, text, context, accepted in messages_of(cases, policy, domain):
        fired = _fired(text, context, policy)
        for rule, intent in fired.items():
            tally = tallies.setdefault(rule, _Tally())
            kind = rule.partition(":")[0]
            others = [other for other in fired if other != rule and other.partition(":")[0] == kind]
            tally.fires += 1
            tally.alone += not others
            tally.others.update(other for other in others if fired[other] != intent)
            if not intent or intent in accepted:
                tally.right += 1
            else:
                tally.wrong.append(case.id)
    worths = [_worth(rule, intent, patterns, tallies.get(rule), policy) for rule, intent, patterns in _rules(policy)]
    return tuple(sorted(worths, key=lambda worth: (-worth.look, worth.rule)))


def weigh_phrases(cases: Iterable[Case], policy: Policy, domain: str) -> tuple[PhraseWorth, ...]:
    """How often each phrase of each class is said; those that nobody says come first."""
    said: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for _, text, _, _ in messages_of(cases, policy, domain):
        words = normalise(text, policy.spellings, policy.elisions).words
        said.update(
            {
                (name, words[place : place + length])
                for place in range(len(words))
                for name, length in policy.lexicon.classes(words, place)
            }
        )
    found = [
        PhraseWorth(name, phrase, said[name, tuple(phrase.split())])
        for name, phrases in policy.reading_words.items()
        if f"words.{name}" not in policy.inherited
        for phrase in phrases
    ]
    return tuple(sorted(found, key=lambda each: (each.said, each.class_name, each.phrase)))


def messages_of(
    cases: Iterable[Case], policy: Policy, domain: str
) -> Iterator[tuple[Case, str, Context, tuple[str, ...]]]:
    """Every message of the cases, in the situation that the policy itself leads to."""
    decider = RuleDecider(load_domain(domain), policy)
    for case in cases:
        if case.domain != domain or case.language != policy.language:
            continue
        situation = begin(case)
        for turn, done in zip(case.turns, run_case(decider, case).turns, strict=False):
            wanted = {intent for call in turn.calls for intent in call.intent}
            yield case, turn.text, situation.context, (*turn.intent, *wanted)
            situation = go_on(situation, done.text, done.decision)


def _fired(text: str, context: Context, policy: Policy) -> dict[str, str]:
    """The rules that fit the message, each with what it asks for; a way of talking may ask for whatever came before."""
    utterance = normalise(text, policy.spellings, policy.elisions)
    fired: dict[str, str] = {}
    requests: tuple[JudgedRequest, ...] = read_message(utterance, context, policy)[0] if utterance.tokens else ()
    for request in requests:
        reading = request.weighed.reading
        fired.update({f"frame:{match.frame.id}": match.frame.intent for match in reading.frames})
        if reading.guard:
            fired[f"guard:{reading.guard[0]}"] = UNKNOWN
        if policy.ways:
            told = begin_hearing(request.utterance, request.weighed, context, policy)
            fired.update({f"way:{heard.way.id}": heard.way.intent for heard in find_ways(told)})
    return fired


def _rules(policy: Policy) -> Iterator[tuple[str, str, int]]:
    for frame in policy.frames:
        yield f"frame:{frame.id}", frame.intent, len(frame.patterns)
    reasons: Counter[str] = Counter()
    for guard in policy.guards:
        reasons[str(guard.reason)] += len(guard.patterns)
    yield from ((f"guard:{reason}", UNKNOWN, patterns) for reason, patterns in reasons.items())
    for way in policy.ways:
        yield f"way:{way.id}", way.intent, len(way.patterns)


def _worth(rule: str, intent: str, patterns: int, tally: _Tally | None, policy: Policy) -> RuleWorth:
    kind, _, name = rule.partition(":")
    place = policy.origin.locate(("acts", name)) if kind == "way" and policy.origin else find_rule_place(rule, policy)
    if tally is None:
        return RuleWorth(rule, kind, intent, patterns, place=place)  # type: ignore[arg-type]
    return RuleWorth(
        rule,
        kind,  # type: ignore[arg-type]
        intent,
        patterns,
        tally.fires,
        tally.right,
        tally.alone,
        tuple(tally.others.most_common(5)),
        tuple(tally.wrong),
        place,
    )


def worth_lines(worths: Iterable[RuleWorth], most: int) -> Iterator[str]:
    """For people at a terminal."""
    yield f"{'rule':<34}{'fires':>6}{'right':>6}{'alone':>6}  conflicts with"
    for worth in list(worths)[:most]:
        against = ", ".join(f"{rule} {count}" for rule, count in worth.conflicts[:3])
        place = f"  [{worth.place}]" if worth.place else ""
        counts = f"{worth.fires:>6}{worth.right:>6}{worth.alone:>6}"
        yield f"{worth.rule:<34}{counts}  {against if worth.fires else 'never fires'}{place}"
