"""One lane's card: the call with the source of every argument, scores, confidence, the task and its rivals."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from db.turns import StoredTurn
from engine.decision import Decision, Reason, Reference
from engine.values import Argument, ToolCall
from ui.turns.composer import composer_html
from ui.words import ACTION_WORDS, REASON_WORDS, SOURCE_WORDS, format_cost, format_ms

Titles = Mapping[str, str]
_SHOWN_SCORES = 4
_SHOWN_LOSERS = 3
_LEAST_SCORE = 0.005


def engine_card(decision: Decision, titles: Titles, *, drives: bool, act_threshold: float) -> str:
    body = [
        _verdict_line(decision),
        _calls(decision, titles),
        _references(decision, titles),
        _confidence(decision.confidence, act_threshold),
        _scores(decision),
    ]
    return _card("Engine", "engine", format_ms(decision.elapsed_ms), body, drives=drives)


def llm_card(decision: Decision | None, turn: StoredTurn, titles: Titles, *, drives: bool) -> str:
    summary = turn.llm_summary
    if decision is None:
        problem = summary.get("problem") or "The LLM lane is off. Turn it on under Settings."
        return _card("LLM", "llm", "", [f'<p class="tl-problem">{escape(str(problem))}</p>'], drives=drives)
    problem = summary.get("problem") if decision.reason in (Reason.UNAVAILABLE, Reason.BROKEN_CALL) else ""
    silent = decision.reason is Reason.MODEL_REPLIED
    body = [
        _verdict_line(decision),
        f'<p class="tl-problem">⚠ {escape(str(problem))}</p>' if problem else "",
        f'<p class="tl-quote">“{escape(decision.message)}”</p>' if silent and decision.message else "",
        _calls(decision, titles),
        composer_html(summary.get("composer") or (), titles),
        _references(decision, titles),
        _llm_confidence(decision, str(summary.get("confidence_source") or "")),
        _costs(summary),
    ]
    return _card("LLM", "llm", format_ms(summary.get("total_ms")), body, drives=drives)


def waiting_card(streamed: str) -> str:
    shown = f'<pre class="tl-stream">{escape(streamed[-600:])}</pre>' if streamed else ""
    dots = '<p class="tl-muted">Thinking<span class="tl-dots" aria-hidden="true">…</span></p>'
    return _card("LLM", "llm", "", [dots, shown], drives=False)


def _card(name: str, lane: str, time: str, body: list[str], *, drives: bool) -> str:
    acted = '<span class="tl-chip tl-acted">decides</span>' if drives else ""
    head = f'<header><b>{name}</b>{acted}<span class="tl-time">{time}</span></header>'
    return f'<section class="tl-lane tl-{lane}" aria-label="{name}">{head}{"".join(body)}</section>'


def _verdict_line(decision: Decision) -> str:
    action, reason = ACTION_WORDS[decision.action], REASON_WORDS[decision.reason]
    code = f"{decision.action}, {decision.reason}"
    return f'<p class="tl-action" title="{escape(code)}"><b>{escape(action.capitalize())}</b>: {escape(reason)}</p>'


def _calls(decision: Decision, titles: Titles) -> str:
    calls = decision.calls or ((decision.pending.call,) if decision.pending else ())
    return "".join(_call(call, titles) for call in calls if call.tool_name)


def _call(call: ToolCall, titles: Titles) -> str:
    rows = "".join(_argument(argument, titles) for argument in call.arguments)
    table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
    return f'<div class="tl-call"><code class="tl-tool">{escape(call.tool_name)}</code>{table}</div>'


def _argument(argument: Argument, titles: Titles) -> str:
    origin = argument.provenance
    shown = titles.get(str(argument.value), str(argument.value))
    where = f"letters {origin.span.start} to {origin.span.end} of the message" if origin.span else ""
    hint = ": ".join(part for part in (SOURCE_WORDS[origin.source], origin.detail or where) if part)
    return (
        f"<tr><th scope='row'>{escape(argument.name)}</th><td>{escape(shown)}</td>"
        f'<td><span class="tl-source" tabindex="0" title="{escape(hint)}">{escape(SOURCE_WORDS[origin.source])}</span>'
        "</td></tr>"
    )


def _references(decision: Decision, titles: Titles) -> str:
    return "".join(_reference(reference, titles) for reference in decision.references)


def _reference(reference: Reference, titles: Titles) -> str:
    said = f"“{escape(reference.mention)}”"
    winner = next((each for each in reference.candidates if each.task_id == reference.task_id), None)
    losers = [each for each in reference.candidates if each.task_id != reference.task_id][:_SHOWN_LOSERS]
    lost = ", ".join(f"{escape(titles.get(each.task_id, '?'))} {each.score:.2f}" for each in losers)
    if winner:
        found = f"{said} → <b>{escape(titles.get(winner.task_id, '?'))}</b> ({escape(winner.how)} {winner.score:.2f})"
        rest = f'<span class="tl-muted">, before {lost}</span>' if lost else ""
        return f'<p class="tl-target">{found}{rest}</p>'
    rest = f" Nearest: {lost}" if lost else ""
    return f'<p class="tl-target">{said} → no single task.<span class="tl-muted">{rest}</span></p>'


def _confidence(confidence: float | None, act_threshold: float) -> str:
    if confidence is None:
        return ""
    text = f"Confidence {confidence:.2f}, acts from {act_threshold:.2f}"
    return _scale(confidence, act_threshold, text)


def _llm_confidence(decision: Decision, source: str) -> str:
    if decision.confidence is None:
        return '<p class="tl-muted tl-small">States no confidence.</p>' if decision.calls else ""
    return _scale(decision.confidence, None, f"Confidence {decision.confidence:.2f}", source)


def _scale(value: float, threshold: float | None, text: str, source: str = "") -> str:
    tick = f'<i class="tl-tick" style="left:{threshold * 100:.0f}%"></i>' if threshold is not None else ""
    hint = f' title="{escape(source)}"' if source else ""
    return (
        f'<div class="tl-confidence"{hint}><span>{escape(text)}</span>'
        f'<div class="tl-scale" role="img" aria-label="{escape(text)}">'
        f'<i class="tl-fill" style="width:{max(0.0, min(1.0, value)) * 100:.0f}%"></i>{tick}</div></div>'
    )


def _scores(decision: Decision) -> str:
    best = sorted(decision.scores, key=lambda score: -score.score)[:_SHOWN_SCORES]
    shown = [score for score in best if score.score > _LEAST_SCORE]
    if not shown:
        return ""
    rows = "".join(
        f"<tr><th scope='row'>{escape(score.intent)}</th>"
        f'<td><i class="tl-bar" style="width:{min(1.0, score.score) * 100:.0f}%"></i></td>'
        f"<td>{score.score:.2f}</td></tr>"
        for score in shown
    )
    return f'<table class="tl-scores" aria-label="Intent scores"><tbody>{rows}</tbody></table>'


def _costs(summary: Mapping[str, object]) -> str:
    tokens = [summary.get("prompt_tokens"), summary.get("answer_tokens")]
    first, cost = summary.get("first_token_ms"), summary.get("cost")
    parts = [
        escape(str(summary.get("model") or "")),
        f"{tokens[0]} + {tokens[1]} tokens" if None not in tokens else "",
        f"first token {format_ms(first)}" if isinstance(first, float) else "",
        format_cost(cost) if isinstance(cost, float | int) else "",
        f"{summary['exchanges']} rounds" if int(str(summary.get("exchanges") or 1)) > 1 else "",
        "structured output" if summary.get("path") == "schema" else "native tools" if summary.get("path") else "",
    ]
    return f'<p class="tl-muted tl-small">{" · ".join(part for part in parts if part)}</p>'
