"""Probes by the words that they have: which of them an edit can touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.editing.touching import Condition, Touch
from engine.editing.tracing import Trace, TracedPolicy
from engine.policy.misspellings import leave_out_each
from engine.policy.values import Policy
from engine.text.corrections import correct
from engine.text.folding import title_words
from engine.text.normalise import normalise
from evals.effect.probes import Probe


def words_of(strings: Iterable[str], policy: Policy) -> frozenset[str]:
    """Every form in which a rule may meet these words: as written, as spellings say, corrected, and as titles are
    compared."""
    found: set[str] = set()
    for text in dict.fromkeys(strings):
        if not text:
            continue
        found.update(title_words(text) if len(text) < _LONG else ())
        found.update(token.norm for token in normalise(text).tokens)
        utterance = normalise(text, policy.spellings, policy.elisions)
        found.update(token.norm for token in utterance.tokens)
        found.update(correct(utterance, policy)[0])
    return frozenset(found)


_LONG = 500
"""What is longer is not kept in the cache of titles."""


class ProbeIndex:
    """The probes of one language, under the policy that edits are made from."""

    def __init__(self, probes: Sequence[Probe], policy: Policy) -> None:
        self.policy = policy
        self.probes = tuple(each for each in probes if each.language == policy.language)
        self._by_word: dict[str, set[int]] = {}
        for place, probe in enumerate(self.probes):
            for word in words_of(probe.strings, policy):
                self._by_word.setdefault(word, set()).add(place)
        self._traces: list[Trace] | None = None

    def find(self, touch: Touch) -> tuple[Probe, ...]:
        """Those that can be decided otherwise, in their order."""
        if touch.everything:
            return self.probes
        places: set[int] = set()
        for condition in touch.conditions:
            places |= self._having(condition)
        for word in touch.near:
            places |= self._near(word)
        if touch.weights or touch.thresholds:
            places |= self._asked(touch)
        return tuple(self.probes[place] for place in sorted(places))

    def _having(self, condition: Condition) -> set[int]:
        found: set[int] | None = None
        for words in condition:
            some: set[int] = set().union(*(self._by_word.get(word, ()) for word in words))
            found = some if found is None else found & some
            if not found:
                return set()
        return set(range(len(self.probes))) if found is None else found

    def _near(self, word: str) -> set[int]:
        """Those with a word that may be a slip of this one."""
        variants = {word, *leave_out_each(word)}
        near = [each for each in self._by_word if abs(len(each) - len(word)) <= 1 and _is_near(each, variants)]
        return set().union(*(self._by_word[each] for each in near))

    def _asked(self, touch: Touch) -> set[int]:
        return {
            place
            for place, trace in enumerate(self.traces())
            if not touch.weights.isdisjoint(trace.names)
            or any(trace.is_passed(name, low, high) for name, (low, high) in touch.thresholds.items())
        }

    def traces(self) -> list[Trace]:
        """What each decision was held to. Takes a run over all probes, once."""
        if self._traces is None:
            traced = TracedPolicy(self.policy)
            domain = load_domain(self.probes[0].domain) if self.probes else None
            decider = RuleDecider(domain, traced.policy) if domain else None
            self._traces = []
            for probe in self.probes:
                with traced.tracing() as trace:
                    if decider:
                        probe.run(decider)
                self._traces.append(trace)
        return self._traces


def _is_near(word: str, variants: set[str]) -> bool:
    return word in variants or not variants.isdisjoint(leave_out_each(word))
