"""The pipeline of one request as steps that read like an argument."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from domains.loading import load_domain
from engine.decision import Candidate, Context, Factor, Reason, Reference, Thresholds
from engine.domain import Domain
from engine.doubting.asking import find_doubt
from engine.explaining.anatomy import Anatomy, RequestAnatomy
from engine.policy.values import Policy
from ui.call_words import name_argument
from ui.charts import (
    Bar,
    ChartLine,
    describe_ledger,
    describe_scores,
    fold_small,
    ledger_figure,
    scores_figure,
    split_scores,
)
from ui.inspect.cells import HintedCell
from ui.inspect.editing import EditLinks
from ui.inspect.evidence import render_evidence
from ui.inspect.marks import marked_message
from ui.inspect.table import render_table
from ui.inspect.values import argument_rows
from ui.inspect.words import ACTION_NAMES, REASON_SENTENCES
from ui.markdown import verbatim
from ui.rules.words import short_rule
from ui.turns.marked_text import Chip, chipped_message
from ui.words import name_how, name_intent, name_one

_CHART = {"displayModeBar": False}


def render_words(anatomy: Anatomy, request: RequestAnatomy, links: EditLinks) -> None:
    st.markdown("### 1 · What the words say")
    if not request.pieces:
        st.html(chipped_message(anatomy.text, ()))
        st.caption("The words answer the question that waits. No weight had a say.")
        return
    st.html(marked_message(anatomy.text, request, anatomy.policy))
    read, rival = name_intent(request.outcome.intent), name_intent(request.rival)
    st.caption(
        f"The figures: how far it moves “{read}” away from “{rival}”; solid speaks for it, dotted against it. "
        "What several words give together stands once, below. Hover or tab for details."
    )
    render_evidence(anatomy, request, links)


def render_scores(request: RequestAnatomy) -> None:
    st.markdown("### 2 · Which intent")
    scores = request.outcome.scores
    if not scores:
        answered = request.outcome.reason in (Reason.ANSWERED, Reason.CANCELLED)
        why = "the message answered a question" if answered else "a way of talking was heard; step 6 says what for"
        st.caption(f"No intent was scored: {why}.")
        return
    bars = [Bar(name_intent(score.intent), score.score, score.intent == request.outcome.intent) for score in scores]
    ranked = sorted(scores, key=lambda score: -score.score)
    shown, hidden = split_scores(bars)
    st.plotly_chart(scores_figure(shown), config=_CHART, key="scores", alt=describe_scores(bars))
    if len(ranked) > 1:
        margin = ranked[0].score - ranked[1].score
        first, second = name_intent(ranked[0].intent), name_intent(ranked[1].intent)
        leads = f"leads “{second}” by {margin:.3f}" if margin else f"and “{second}” are level"
        rest = f" {hidden} other{'s have' if hidden > 1 else ' has'} next to nothing." if hidden else ""
        st.caption(f"“{first}” {leads}.{rest}", help=verbatim(describe_scores(bars)))


def render_values(anatomy: Anatomy, request: RequestAnatomy, context: Context, domain: str) -> None:
    st.markdown("### 3 · Values in the words")
    outcome = request.outcome
    chips = [Chip(slot.span, name_argument(slot.name), "value", slot.name) for slot in outcome.slots]
    chips += [Chip(each.span, f"which {name_one(domain)}", "target") for each in outcome.references if each.span]
    if chips:
        st.html(chipped_message(anatomy.text, chips))
    rows = argument_rows(anatomy, request, context)
    if rows:
        render_table(("Argument", "Value", "From"), rows, "Values in the words")
    elif not chips:
        st.caption("The words hold no value that a tool could use.")


def render_reference(request: RequestAnatomy, context: Context, anatomy: Anatomy, domain: str) -> None:
    one, thresholds = name_one(domain), anatomy.thresholds
    st.markdown(f"### 4 · Which {one}")
    if not request.outcome.references:
        st.caption(f"The message names no {one} that exists already.")
    for reference in request.outcome.references:
        if not reference.candidates:
            st.caption(f"No {one} in reach shares a word with “{verbatim(reference.mention)}”.")
            continue
        if reference.mention.strip():
            st.caption(f"Meant by “{verbatim(reference.mention)}”:")
        measured = "target_margin" in anatomy.held_to
        rows = list(_candidate_rows(reference, context, thresholds if measured else None, load_domain(domain)))
        render_table((one.capitalize(), "Fits", "Found", "So"), rows, f"Which {one}")


def _candidate_rows(
    reference: Reference, context: Context, thresholds: Thresholds | None, domain: Domain
) -> Iterator[tuple[str | HintedCell, ...]]:
    for candidate in reference.candidates:
        task = context.tasks.find_by_id(candidate.task_id)
        numbered = f"#{task.number} " if task and domain.catalogue.numbered else ""
        title = f"{numbered}{task.title}" if task else f"a {name_one(domain.name)} that is gone"
        how = HintedCell(name_how(candidate.how), candidate.how)
        yield title, f"{candidate.score:.2f}", how, why_lost(candidate, reference, thresholds)


def why_lost(candidate: Candidate, reference: Reference, thresholds: Thresholds | None) -> str:
    """Why a candidate is not the one that is meant, or that it is. Without thresholds: ways of finding are levels, and
    two of the same level fit alike."""
    if candidate.task_id == reference.task_id:
        return "✓ meant"
    if candidate.lost:
        return f"lost: {candidate.lost}"
    if thresholds is None:
        return "lost: another fits better" if reference.task_id else "undecided: several are left"
    if candidate.score < thresholds.target:
        return f"lost: below {thresholds.target:.2f}, the least that counts"
    best = reference.candidates[0]
    if reference.task_id is not None:
        return f"lost: {best.score - candidate.score:.2f} behind the one that is meant"
    if candidate is best:
        return f"undecided: no lead of {thresholds.target_margin:.2f} over the next"
    return f"undecided: only {best.score - candidate.score:.2f} behind the best"


def render_confidence(anatomy: Anatomy, request: RequestAnatomy) -> None:
    st.markdown("### 6 · How sure")
    outcome, thresholds = request.outcome, anatomy.thresholds
    doubt = find_doubt(anatomy.decision)
    confidence = min(outcome.confidence, anatomy.decision.confidence or 0.0) if doubt else outcome.confidence
    ledger = (*outcome.ledger, doubt._replace(amount=confidence - outcome.confidence)) if doubt else outcome.ledger
    bars = [Bar(factor_label(factor, anatomy.text, anatomy.policy), factor.amount) for factor in ledger]
    factors = fold_small(bars)
    known = (("read", ChartLine("reads from", thresholds.read)), ("act", ChartLine("acts from", thresholds.act)))
    lines = tuple(line for name, line in known if name in anatomy.held_to)
    alt = describe_ledger(factors, confidence, lines)
    st.plotly_chart(ledger_figure(factors, confidence, lines), config=_CHART, key="ledger", alt=alt)
    if anatomy.decision.doubt is not None:
        st.caption(tell_doubt(anatomy.decision.doubt, doubt), help=_ABOUT_DOUBT)


_ABOUT_DOUBT = (
    "Learned from changes that were wrong in conversations which nobody had tuned to. The words may be clear and the "
    "change wrong all the same: a name cut in the wrong place, a part of the message left unread."
)


def tell_doubt(share: float, asked: Factor | None) -> str:
    told = f"Doubt: {share:.0%} of changes like this one were wrong"
    return f"{told} ({asked.detail}), so it is asked about." if asked else f"{told}."


def factor_label(factor: Factor, text: str, policy: Policy | None = None) -> str:
    said = text[factor.span.start : factor.span.end] if factor.span else ""
    kind, found, how = factor.name.partition(": ")  # "task found: partial", "machine: name"
    named = f"{kind}: {name_how(how)}" if found else short_rule(factor.name, policy)
    return f"“{said}” {named}" if factor.name.startswith(("misspelt", "task found")) and len(said) < 12 else named


def render_action(anatomy: Anatomy, request: RequestAnatomy) -> None:
    st.markdown("### 7 · So")
    outcome = anatomy.decision if find_doubt(anatomy.decision) else request.outcome
    st.markdown(
        f"**{ACTION_NAMES[outcome.action]}**, as “{name_intent(outcome.intent)}”. {REASON_SENTENCES[outcome.reason]}",
        help=f"{outcome.action}, {outcome.reason}",
    )
    if outcome.message:
        st.markdown(f"> {verbatim(outcome.message)}")
