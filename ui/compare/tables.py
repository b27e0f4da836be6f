"""A comparison as HTML tables: the figures of each decider, and line by line what each would call. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from db.comparisons import ComparedLine, Comparison
from ui.turns.calls import call_html, missing_html
from ui.words import ACTION_WORDS, REASON_WORDS, format_cost, format_ms

Link = Callable[[ComparedLine], str]
_MARKS = {
    "agree": ("agree", "✓ same"),
    "both_silent": ("agree", "✓ same: no call"),
    "differ": ("differ", "≠ differs"),
    "first_silent": ("silent", "○ calls, the first does not"),
    "second_silent": ("silent", "○ calls nothing"),
    "broken": ("silent", "⚠ broken call"),
    "failed": ("silent", "⚠ failed"),
}


def summary_html(run: Comparison) -> str:
    first = escape(run.deciders[0])
    heads = ("Decider", f"Same as {first}", "Calls", "Broken", "Median time", "95% within", "Tokens", "Cost")
    rows = "".join(_figures(place, entry) for place, entry in enumerate(run.summary))
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        f'<div class="tc-scroll"><table class="tc-summary"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        "</div>"
    )


def _figures(place: int, entry: Mapping[str, Any]) -> str:
    lines, compared = entry["lines"], entry["compared"]
    share = f"{entry['agree'] / compared:.1%} <span>{entry['agree']:,} of {compared:,}</span>" if compared else "–"
    tokens = [entry["prompt_tokens"], entry["answer_tokens"]]
    cells = (
        f"<b>{escape(str(entry['name']))}</b>" + ("" if place else ' <span class="tl-chip">the first</span>'),
        share if place else "–",
        f"{entry['calls']:,} <span>of {lines:,}</span>",
        f"{entry['broken']:,}",
        format_ms(entry["median_ms"]) or "–",
        format_ms(entry["p95_ms"]) or "–",
        f"{tokens[0]:,} <span>in</span> {tokens[1] or 0:,} <span>out</span>" if tokens[0] is not None else "–",
        _cost(entry),
    )
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _cost(entry: Mapping[str, Any]) -> str:
    if entry["unpriced"]:
        return '<span title="Settings keeps the table of prices">no price known</span>'
    return format_cost(entry["cost"]) or "–"


def lines_html(run: Comparison, lines: Sequence[ComparedLine], link: Link) -> str:
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in run.deciders)
    rows = "".join(_row(line, link(line)) for line in lines)
    return (
        '<div class="tc-scroll"><table class="tc-lines"><thead><tr><th scope="col">Line</th>'
        f'<th scope="col">Message</th>{names}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(line: ComparedLine, link: str) -> str:
    own = '<span class="tl-chip" title="Decided with the tasks and the history of its own line">own context</span>'
    text = escape(line.text).replace("\n", "<br>")
    inspect = f'<a href="{escape(link)}" target="_blank" rel="noopener">Inspect</a>'
    cells = "".join(_cell(answer, line.answers[0]) for answer in line.answers)
    return (
        f'<tr><td class="tl-number">{line.line:,}</td><td class="tc-message"><div>{text}</div>'
        f"<footer>{inspect} {own if line.context else ''}</footer></td>{cells}</tr>"
    )


def _cell(answer: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    differences = answer.get("differences") or []
    calls = "".join(_call(place, call, differences) for place, call in enumerate(answer.get("calls") or ()))
    lacking = [name for place, name, _, second in differences if second is None]
    problem = f'<div class="tl-problem">{escape(str(answer["problem"]))}</div>' if answer.get("problem") else ""
    return (
        f"<td>{_head(answer, first)}{calls or _no_call(answer)}{missing_html(lacking)}{problem}"
        f"<footer>{_costs(answer)}</footer></td>"
    )


def _head(answer: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    action, reason = answer.get("action"), answer.get("reason")
    silenced = not action or reason == "unavailable"  # what it says then is ours, and no reply of its own
    words = "no answer" if silenced else ACTION_WORDS.get(action, "")
    changed = answer is not first and answer.get("standing") == "differ" and action != first.get("action")
    why = escape(REASON_WORDS.get(reason, ""))
    mark, label = _MARKS.get(str(answer.get("standing")), ("", ""))
    standing = f'<span class="tl-verdict tl-{mark}">{label}</span>' if label else ""
    shown = f'<span class="{"tc-mark" if changed else "tc-action"}" title="{why}">{escape(words)}</span>'
    return f'<div class="tc-head">{shown}{standing}</div>'


def _no_call(answer: Mapping[str, Any]) -> str:
    return "" if answer.get("problem") else '<div class="tl-muted">no call</div>'


def _call(place: int, call: Mapping[str, Any], differences: Sequence[Sequence[Any]]) -> str:
    marked = [name for at, name, _, _ in differences if at == place]
    titles = {str(call["parameters"].get("task_identifier")): str(call["task"])} if call.get("task") else {}
    return call_html(call["tool_name"], call["parameters"], marked, titles)


def _costs(answer: Mapping[str, Any]) -> str:
    tokens = [answer[name] for name in ("prompt_tokens", "answer_tokens") if answer.get(name) is not None]
    confidence = answer.get("confidence")
    parts = (
        format_ms(answer.get("ms")),
        f"{confidence:.2f} sure" if confidence is not None and answer.get("calls") else "",
        f"{sum(tokens):,} tokens" if tokens else "",
        format_cost(answer.get("cost")),
    )
    return escape(" · ".join(part for part in parts if part))
