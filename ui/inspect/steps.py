"""The pipeline of one request as steps that read like an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import streamlit as st

from domains.catalogues import find_facts, load_all_tools
from domains.loading import load_domain
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.decision import Candidate, Context, Factor, Reason, Reference, Thresholds
from engine.domain import Domain
from engine.explaining.anatomy import Anatomy, RequestAnatomy
from engine.values import Span, ToolCall
from ui.charts import Bar, ChartLine, describe_ledger, describe_scores, ledger_figure, scores_figure
from ui.inspect.marks import describe_piece, marked_message
from ui.inspect.values import argument_rows
from ui.inspect.words import ACTION_NAMES, HOW_WORDS, REASON_SENTENCES, short_rule
from ui.markdown import verbatim
from ui.turns.marked_text import Chip, chipped_message
from ui.words import name_intent, name_one

_CHART = {"displayModeBar": False}
_LINE_BREAKS = re.compile(r"[\r\n\t ]+")


def render_words(anatomy: Anatomy, request: RequestAnatomy) -> None:
    st.markdown("### 1 · What the words say")
    if not request.pieces:
        st.html(chipped_message(anatomy.text, ()))
        st.caption("The words answer the question that waits. No weight had a say.")
        return
    st.html(marked_message(anatomy.text, request, anatomy.policy))
    read, rival = name_intent(request.outcome.intent), name_intent(request.rival)
    st.caption(
        f"Under each word: how far it moves “{read}” away from “{rival}”; solid speaks for it, dotted against it. "
        "What several words give together stands under each. Hover or tab for rules and policy lines."
    )
    with st.expander(f"All {len(request.pieces)} pieces of evidence", icon=":material/format_list_bulleted:"):
        ranked = sorted(request.pieces, key=lambda piece: -abs(request.pull(piece)))
        rows = [
            (
                f"{request.pull(piece):+.2f}",
                _quoted(anatomy.text, piece.span),
                describe_piece(piece, request, anatomy.policy),
            )
            for piece in ranked
        ]
        render_table(("Pull", "Words", "What was seen"), rows)


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
    st.plotly_chart(scores_figure(bars), config=_CHART, key="scores", alt=describe_scores(bars))
    if len(ranked) > 1:
        margin = ranked[0].score - ranked[1].score
        first, second = name_intent(ranked[0].intent), name_intent(ranked[1].intent)
        leads = f"leads “{second}” by {margin:.3f}" if margin else f"and “{second}” are level"
        st.caption(f"“{first}” {leads}.")


def render_values(anatomy: Anatomy, request: RequestAnatomy, context: Context, domain: str) -> None:
    st.markdown("### 3 · Values in the words")
    outcome = request.outcome
    chips = [Chip(slot.span, slot.name, "value") for slot in outcome.slots]
    chips += [Chip(each.span, f"which {name_one(domain)}", "target") for each in outcome.references if each.span]
    if chips:
        st.html(chipped_message(anatomy.text, chips))
    rows = argument_rows(anatomy, request, context)
    if rows:
        render_table(("Argument", "Value", "From"), rows)
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
        render_table((one.capitalize(), "Fits", "Because it", "So"), rows)


def _candidate_rows(
    reference: Reference, context: Context, thresholds: Thresholds | None, domain: Domain
) -> Iterator[tuple[str, ...]]:
    for candidate in reference.candidates:
        task = context.tasks.find_by_id(candidate.task_id)
        numbered = f"#{task.number} " if task and domain.catalogue.numbered else ""
        title = f"{numbered}{task.title}" if task else candidate.task_id
        how = HOW_WORDS.get(candidate.how, candidate.how)
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


def render_validation(request: RequestAnatomy) -> None:
    st.markdown("### 5 · Is the call sound")
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    if call is None or not call.tool_name:
        st.caption("There is no call to check.")
        return
    problem = find_problem(call)
    asked = outcome.pending.parameter if outcome.pending else None
    waits = " That is what it asks for." if asked else ""
    if problem:
        st.markdown(f":material/close: **{call.tool_name}** is not complete: {verbatim(problem)}{verbatim(waits)}")
    else:
        st.markdown(f":material/check: **{call.tool_name}** has all it needs, and every value is of its kind.")


def find_problem(call: ToolCall) -> str:
    """Why the tool would refuse the call; empty when it would not."""
    try:
        check_arguments(call.tool_name, call.parameters, load_all_tools())
    except BadArgumentsError as error:
        return error.message
    facts = find_facts(call.tool_name)
    missing = [group for group in facts.one_of if not any(name in call.parameters for name in group)] if facts else []
    return "It needs " + " and ".join(" or ".join(group) for group in missing) + "." if missing else ""


def render_confidence(anatomy: Anatomy, request: RequestAnatomy) -> None:
    st.markdown("### 6 · How sure")
    outcome, thresholds = request.outcome, anatomy.thresholds
    factors = [Bar(factor_label(factor, anatomy.text), factor.amount) for factor in outcome.ledger]
    known = (("read", ChartLine("reads from", thresholds.read)), ("act", ChartLine("acts from", thresholds.act)))
    lines = tuple(line for name, line in known if name in anatomy.held_to)
    alt = describe_ledger(factors, outcome.confidence, lines)
    st.plotly_chart(ledger_figure(factors, outcome.confidence, lines), config=_CHART, key="ledger", alt=alt)


def factor_label(factor: Factor, text: str) -> str:
    said = text[factor.span.start : factor.span.end] if factor.span else ""
    named = short_rule(factor.name)
    return f"“{said}” {named}" if factor.name.startswith(("misspelt", "task found")) and len(said) < 12 else named


def render_action(request: RequestAnatomy) -> None:
    st.markdown("### 7 · So")
    outcome = request.outcome
    st.markdown(
        f"**{ACTION_NAMES[outcome.action]}**, as “{name_intent(outcome.intent)}”. {REASON_SENTENCES[outcome.reason]} "
        f"Reason code: `{outcome.reason}`"
    )
    if outcome.message:
        st.markdown(f"> {verbatim(outcome.message)}")


def render_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    lines = [f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    lines += [f"| {' | '.join(verbatim(_LINE_BREAKS.sub(' ', str(cell))) for cell in row)} |" for row in rows]
    st.markdown("\n".join(lines))


def _quoted(text: str, span: Span) -> str:
    said = text[span.start : span.end]
    return f"“{said if len(said) <= 40 else said[:39] + '…'}”"
