"""What completing the calls of one domain takes, in one language: all of it follows from the domain and its policy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.catalogue.facts import Catalogue, ToolFacts
from engine.completing.hints import Hints, find_unspoken, make_hints
from engine.completing.values import Why
from engine.dates.words import DateWords
from engine.decider import RuleDecider
from engine.decision import Decider, Language
from engine.domain import Domain
from engine.policy.sentences import CHANGE
from engine.policy.values import Policy

_PLAINLY = {"several_tasks": "several", "no_task": "none"}


def say_completing(policy: Policy, message: str, **values: object) -> str:
    """What is said while a call is completed: in the domain's words, or as in every domain."""
    known = policy.replies.get(f"compose_{message}") or policy.replies[f"compose_{_PLAINLY[message]}"]
    text = known.format(**values)
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Means:
    policy: Policy
    decider: Decider
    """Whose reading of the message the missing arguments are taken from."""
    hints: Hints
    date_words: tuple[DateWords, ...]
    """In which a date may be written, in this order: the language of the message, and the one that models prefer."""
    day_names: frozenset[str]
    """What a filter by day takes beside dates: today, this_week."""

    @property
    def catalogue(self) -> Catalogue:
        return self.policy.catalogue

    @property
    def small_words(self) -> frozenset[str]:
        """Words that name nothing: articles, fillers."""
        return self.hints.small_words

    def speaks_against(self, text: str) -> Why | None:
        """For a message that the decider reads no request in: what in its words asks, denies or puts off."""
        return find_unspoken(text, self.hints)

    def say(self, message: str, **values: object) -> str:
        return say_completing(self.policy, message, **values)

    def label_tool(self, intent: str) -> str:
        """What a tool is for, in a verb: "add a task"."""
        replies = self.policy.replies
        return replies.get(f"compose_verb_{intent}") or replies[f"verb_{intent}"]

    def ask_for(self, argument: str, tool: ToolFacts, title: str) -> str:
        """The question for what is missing: one for completing, or the one that the engine itself would ask."""
        replies = self.policy.replies
        own = replies.get(f"compose_ask_{argument}")
        if own:
            return own
        if argument == tool.target:
            return replies[f"which_{tool.intent}"]
        if argument == CHANGE and title:
            return replies["missing_change"].format(title=title)
        return replies.get(f"missing_{argument}") or self.say("missing", argument=argument.replace("_", " "))


@lru_cache(maxsize=32)
def make_means(domain: Domain, language: Language) -> Means:
    """A policy that is edited on disk is one of another domain: each is loaded anew."""
    policy = domain.policies[language]
    days = tuple(f"{name}_" for tool in domain.catalogue.tools if (name := tool.argument("day_filter")))
    return Means(
        policy,
        # A call that is there already says what is wanted: only the words themselves are read, nothing is guessed from
        # the store or the conversation.
        RuleDecider(domain, policy.by_words_alone()),
        make_hints(domain.policies.values()),
        (policy.date_words, next(iter(domain.policies.values())).date_words),
        frozenset(name.removeprefix(day) for name in policy.words for day in days if name.startswith(day)),
    )
