"""What kept a request from being read as wanted although something in it speaks for it: a guard, a rival, a threshold,
or what was heard in the conversation."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue.facts import UNKNOWN
from engine.decider import RuleDecider
from engine.decision import Context, Decision, Intent, Reason
from engine.explaining.trial import gist_of
from engine.message.judged_request import JudgedRequest
from engine.policy.rule_places import find_rule_place
from engine.policy.talk_weights import TalkWeights
from engine.policy.values import Policy
from engine.reading.read import Reading, score
from engine.why.values import DecidedBy, Obstacle

_STRONGEST = 3


def find_source(text: str, context: Context, policy: Policy, decider: RuleDecider, decision: Decision) -> DecidedBy:
    """What the decision came from: each kind of talk is left out, to see whether it would have been another one."""
    if context.pending and decision.reason in (Reason.ANSWERED, Reason.CANCELLED):
        return "answer"
    gist = gist_of(decision, policy.catalogue)
    if policy.talk.moves:
        without = decider.with_policy(policy.vary(talk=TalkWeights())).decide(text, context)
        if gist_of(without, policy.catalogue) != gist:
            return "learned_talk"
    if policy.ways:
        alone = decider.with_policy(policy.by_words_alone()).decide(text, context)
        if gist_of(alone, policy.catalogue) != gist:
            return "ways_of_talking"
    return "words"


def find_obstacles(request: JudgedRequest, wanted: Intent, decided_by: DecidedBy, policy: Policy) -> Iterator[Obstacle]:
    reading = request.weighed.reading
    fitting = next((match.frame for match in reading.frames if match.frame.intent == wanted), None)
    if reading.guard and wanted != UNKNOWN:
        yield _guard(reading, policy)
    if request.weighed.intent != wanted:
        yield _loses(request, wanted, fitting.id if fitting else "", policy)
    elif decided_by == "words":
        yield from _short_of(request, policy)
    if decided_by == "learned_talk":
        move = next((factor.name for factor in request.outcome.ledger[1:2]), "")
        told = (
            f"what was learned from conversations (talk.json) decides here, as {request.outcome.intent}, by "
            f"“{move}” and the like; a draft does not edit that, but a clear way of asking is heard before it"
        )
        yield Obstacle("learned_talk", told, "talk")
    if decided_by == "ways_of_talking":
        told = f"a way of talking (acts/) decides here, as {request.outcome.intent} ({request.outcome.act})"
        yield Obstacle("way_of_talking", told, "acts")


def _guard(reading: Reading, policy: Policy) -> Obstacle:
    assert reading.guard is not None  # noqa: S101 - for the type checker: the caller looked
    reason, first, last = reading.guard
    said = " ".join(reading.scene.words[first:last])
    rule = f"guard:{reason}"
    told = f"stopped by the guard {reason}: “{said}”"
    return Obstacle(
        "guard", told, rule, policy.amounts.guard, reading.utterance.span(first, last), find_rule_place(rule, policy)
    )


def _loses(request: JudgedRequest, wanted: Intent, frame: str, policy: Policy) -> Obstacle:
    """By how much, in log-odds: what a weight would have to make up for."""
    reading, intents = request.weighed.reading, policy.catalogue.intents
    scores = score(reading, policy)
    place = intents.index(wanted)
    rival = max((each for each in range(len(intents)) if each != place), key=scores.__getitem__)
    lost = scores[rival] - scores[place]
    pulls = [
        (vector[rival] - vector[place], observation)
        for observation, vector in zip(reading.observations, reading.vectors, strict=True)
    ]
    strongest = sorted(pulls, key=lambda pull: -pull[0])[:_STRONGEST]
    against = ", ".join(f"{each.name} {pull:+.1f}" for pull, each in strongest if pull > 0)
    fits = f"{frame} fits, but" if frame else f"no way of asking for {wanted} fits, and it"
    if lost > 0:
        told = f"{fits} loses by {lost:.1f} to {intents[rival]}{f' ({against})' if against else ''}"
        first = strongest[0][1] if strongest else None
        span = reading.utterance.span(first.first, first.last) if first else None
        return Obstacle("loses", told, strongest[0][1].name if strongest else "", round(lost, 3), span)
    share = next((each.score for each in request.weighed.scores if each.intent == wanted), 0.0)
    least = policy.thresholds.read
    told = f"{fits} is only {share:.2f} sure, below the threshold “read” of {least:.2f}"
    return Obstacle(
        "reads_nothing",
        told,
        "threshold:read",
        round(least - share, 3),
        None,
        find_rule_place("threshold:read", policy),
    )


def _short_of(request: JudgedRequest, policy: Policy) -> Iterator[Obstacle]:
    """It is read as wanted, and only asked about."""
    outcome, limits = request.outcome, policy.thresholds
    if outcome.action != "clarify":
        return
    if outcome.reason is Reason.BELOW_THRESHOLD:
        told = (
            f"read as {outcome.intent}, but {outcome.confidence:.2f} is below the threshold “act” of {limits.act:.2f}"
        )
        rule = "threshold:act"
        yield Obstacle(
            "below_threshold",
            told,
            rule,
            round(limits.act - outcome.confidence, 3),
            None,
            find_rule_place(rule, policy),
        )
    elif outcome.reason is Reason.NARROW_MARGIN:
        closer = f"{request.weighed.rival} is closer than the threshold “margin” of {limits.margin:.2f}"
        told = f"read as {outcome.intent}, but {closer}"
        yield Obstacle(
            "narrow_margin", told, "threshold:margin", limits.margin, None, find_rule_place("threshold:margin", policy)
        )
    else:
        yield Obstacle("question", f"read as {outcome.intent}, and asks back: {outcome.reason}", "")
