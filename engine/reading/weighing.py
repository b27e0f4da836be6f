"""One request weighed: which intent it has, how surely, and what it names."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.dates import DateMatch, find_dates
from engine.decision import Context, Factor, Intent, IntentScore, Reference, Step
from engine.making import maker
from engine.policy.values import Policy
from engine.policy.weights import CARRIED, probabilities
from engine.reading.confidence import base_ledger, close_ledger, context_factor, correction_factors
from engine.reading.dates_put_right import keep_last_said
from engine.reading.evidence import Observation
from engine.reading.leaving_out import leaves_out
from engine.reading.read import Reading, intent_scores, read_request, score, with_evidence
from engine.reading.stored import dated_places, look_around, names_nothing
from engine.reading.surroundings import Before, find_before, is_named, observe_surroundings
from engine.slots.draft import Draft, draft, frame_for
from engine.slots.keeping import keep_rest
from engine.targets.references import name_whole_title, resolve
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.text.reading_once import once_a_message

_make_step, _make_observation = maker(Step), maker(Observation)
_SHOWN = 0.005
"""Intents with less than this do not clutter the steps."""


class Weighed(NamedTuple):
    """A reading with its scores, and the task it names if any."""

    reading: Reading
    intent: Intent
    confidence: float
    ledger: tuple[Factor, ...]
    scores: tuple[IntentScore, ...]
    rival: Intent
    rival_share: float
    draft: Draft | None = None
    reference: Reference | None = None
    dates: tuple[DateMatch, ...] = ()
    observed: bool = False
    """Whether the scores come of what the reading has observed."""


@once_a_message
def weigh_request(utterance: Utterance, context: Context, policy: Policy) -> Weighed:
    """Read and score a request; where it may be about something stored, look that up first."""
    intents, unknown, amounts = policy.catalogue.intents, policy.catalogue.unknown, policy.amounts
    reading, dates, drafted, reference = read_in_context(utterance, context, policy)
    lead, extra = reading.frames[0] if reading.frames else None, {}
    if lead and is_named(reference, policy) and not policy.weights.knows_surroundings:
        extra = {intents.index(lead.frame.intent): amounts.named, unknown: -amounts.named}
    if reading.guard:
        extra = {unknown: amounts.guard}
    plain = score(reading, policy)
    plain_shares = shares = probabilities(plain)
    if extra:
        totals = list(plain)
        for place, weight in extra.items():
            totals[place] += weight
        shares = probabilities(totals)
    order = sorted(range(len(shares)), key=shares.__getitem__, reverse=True)
    winner = order[0]
    # A threshold is asked only where its answer counts: an edit of it is tried on what was compared with it.
    if winner != unknown and _is_too_unsure(policy.weights.calibrate(shares[winner]), reading, policy):
        winner = winner if _is_torn(order, shares, policy) else unknown
    other = order[1] if winner == order[0] else order[0]
    factors = base_ledger(reading, policy.weights, winner, other, plain_shares[winner]) + correction_factors(
        reading, policy.amounts.misspelt_cost
    )
    if extra:
        name = f"guard:{reading.guard[0]}" if reading.guard else "a stored task is named"
        factors.append(context_factor(policy.weights, plain_shares[winner], shares[winner], name))
    ledger, confidence = close_ledger(factors)
    scores = intent_scores(shares, intents)
    rival = next(place for place in order if place != winner and place != unknown)
    if drafted and drafted.intent != intents[winner]:
        drafted, reference = None, None
    return Weighed(
        reading, intents[winner], confidence, ledger, scores, intents[rival], shares[rival], drafted, reference, dates,
        observed=True,
    )  # fmt: skip


def read_in_context(
    utterance: Utterance, context: Context, policy: Policy, before: Before | None = None
) -> tuple[Reading, tuple[DateMatch, ...], Draft | None, Reference | None]:
    """Everything that is observed: the words, then the dates, the store and the conversation. `before` is what was
    asked for before, where the caller knows it already."""
    dates = dates_of(utterance, context, policy)
    dated = dated_places(utterance, dates)
    reading = read_request(utterance, policy, dated, lambda word: _is_in_a_name(word, context))
    drafted, reference = None, None
    lead = reading.frames[0] if reading.frames else None
    if lead and lead.frame.intent in policy.catalogue.on_target:
        drafted = draft(reading, lead.frame.intent, policy, dates)
        reference = look_up(drafted, context, policy)
    table = policy.weights.evidence
    if table and not policy.weights.knows_surroundings:
        return reading, dates, drafted, reference
    if before is None and context.history:
        before = find_before(context, policy)
    around = observe_surroundings(reading, dates, reference, context, policy, before, dated)
    seen = tuple([_make_observation(raw) for raw in around if raw[0] in table or not table])
    if seen:
        vectors = tuple([table[name] for name, _, _ in seen]) if table else ()
        reading = reading._replace(observations=reading.observations + seen, vectors=reading.vectors + vectors)
    return reading, dates, drafted, reference


_NAMES_LOOKED_AT = 3


def _is_in_a_name(word: str, context: Context) -> bool:
    """Asked only of a word that looks like a slip: "demo" is none for who has a "Demo for Kappa"."""
    return any(word in title_words(task.title) for task in context.tasks.candidates(word, _NAMES_LOOKED_AT))


def _is_too_unsure(sure: float, reading: Reading, policy: Policy) -> bool:
    return sure < policy.thresholds.read and sure < _read_from(reading, policy)


def _read_from(reading: Reading, policy: Policy) -> float:
    """From where on a message is taken for a request: where the store or the conversation speaks, too, from less."""
    around = any(name.startswith(CARRIED) for name, _, _ in reading.observations)
    return policy.thresholds.read - (policy.amounts.read_in_context if around else 0.0)


def _is_torn(order: list[int], shares: tuple[float, ...], policy: Policy) -> bool:
    """Clearly a request, only not clear which: worth a question rather than silence."""
    first, second, unknown = order[0], order[1], policy.catalogue.unknown
    return (
        unknown not in (first, second)
        and shares[unknown] < policy.amounts.torn_below
        and shares[first] + shares[second] > policy.thresholds.act
    )


_DATED = 4000
"""Characters in which dates are looked for: what a message says beyond that, it says of something else."""


def dates_of(utterance: Utterance, context: Context, policy: Policy, *, in_talk: bool = False) -> tuple[DateMatch, ...]:
    """The dates within this request's words."""
    if not utterance.tokens:
        return ()
    first, last = utterance.tokens[0].start, min(utterance.tokens[-1].end, _DATED)
    found = find_dates(utterance.text[:last], context.now, policy.date_words, in_talk=in_talk)
    within = tuple([match for match in found if match.span.start >= first]) if first else found
    return keep_last_said(within, utterance, context.now, policy) if within else ()


def look_up(drafted: Draft, context: Context, policy: Policy) -> Reference | None:
    if drafted.mention is None or drafted.batch:
        return None
    still_open, settled = policy.catalogue.states
    reopens = drafted.status == still_open
    return resolve(drafted.mention, context, policy, settled if reopens else still_open)


def complete_weighing(weighed: Weighed, context: Context, policy: Policy) -> tuple[Draft, Reference | None]:
    """The draft and the reference for the intent that won."""
    dates = weighed.dates
    drafted = weighed.draft or draft(weighed.reading, weighed.intent, policy, dates)
    if weighed.intent not in policy.catalogue.on_target:
        return drafted, None
    reference = weighed.reference
    if drafted.batch:
        # "delete old shopping list" is about one of them if one is called exactly that.
        left_out = leaves_out(weighed.reading.scene.words, policy)
        named = None if left_out else name_whole_title(weighed.reading.utterance, context)
        drafted = drafted._replace(batch=False, mention=named) if named else drafted
    if weighed.draft is None or (weighed.draft.batch and reference is None):
        reference = look_up(drafted, context, policy)
    if not drafted.batch and (reference is None or names_nothing(reference, weighed.reading, policy)):
        reference = look_around(weighed.reading, dates, context, policy) or reference
    return _keep_rest_of_date(drafted, reference, dates, context, policy), reference


def _keep_rest_of_date(
    drafted: Draft, reference: Reference | None, dates: tuple[DateMatch, ...], context: Context, policy: Policy
) -> Draft:
    """ "at 5" for something that has a day, "on Friday" for something that has a time."""
    facts = policy.catalogue.by_intent.get(drafted.intent)
    task = context.tasks.find_by_id(reference.task_id) if reference and reference.task_id else None
    if facts is None or facts.effect != "change" or task is None:
        return drafted
    slots = keep_rest(drafted.slots, dates, task, facts)
    if slots == drafted.slots:
        return drafted
    values = {slot.name: slot.value for slot in slots}
    kept = tuple(replace(each, value=values.get(each.name, each.value)) for each in drafted.arguments)
    return drafted._replace(slots=slots, arguments=kept)


class MadeOfWords(NamedTuple):
    """What an outcome is made of, ready to be told."""

    weighed: Weighed
    drafted: Draft | None = None
    reference: Reference | None = None

    @property
    def scores(self) -> tuple[IntentScore, ...]:
        """Those of what the reading has observed with what speaks for each."""
        scores = self.weighed.scores
        return with_evidence(scores, self.weighed.reading) if self.weighed.observed else scores

    @property
    def steps(self) -> tuple[Step, ...]:
        return describe(self.weighed, self.drafted, self.reference)


def describe(weighed: Weighed, drafted: Draft | None, reference: Reference | None) -> tuple[Step, ...]:
    """What each stage made of the request, in a line each."""
    reading = weighed.reading
    words = " ".join(reading.scene.words[:40])
    frames = ", ".join([match.frame.id for match in reading.frames]) or "none"
    steps = [
        ("normalise", words),
        ("correct", ", ".join([f"{each.word} -> {each.meant}" for each in reading.corrections]) or "nothing"),
        ("frames", frames),
        ("guard", str(reading.guard[0]) if reading.guard else "none"),
        ("score", ", ".join([f"{intent} {share:.3f}" for intent, share, _ in weighed.scores if share > _SHOWN])),
    ]
    if drafted:
        steps.append(("slots", ", ".join([f"{slot.name}={slot.value!r}" for slot in drafted.slots]) or "none"))
    if reference:
        found = ", ".join([f"{task_id} {fit:.2f} {how}" for task_id, fit, how, _ in reference.candidates]) or "nothing"
        steps.append(("reference", f"{reference.mention!r}: {found}"))
    frame = frame_for(reading, weighed.intent)
    # As a plain number: what is only told asks nothing of a threshold that it may be made of.
    sure = float.__add__(weighed.confidence, 0.0) if isinstance(weighed.confidence, float) else weighed.confidence
    steps.append(("confidence", f"{sure:.3f} as {weighed.intent} by {frame.frame.id if frame else 'words'}"))
    return tuple(map(_make_step, steps))
