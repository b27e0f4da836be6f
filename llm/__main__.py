"""`python -m llm ask "…"` prints a decision and its exchange; `decide` reads JSON Lines as the engine does."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from domains.loading import TASKS, list_domains, load_domain
from engine.__main__ import decide_lines
from engine.border.lines import LENIENT
from engine.border.wire import read_context, write_decision
from engine.domain import Domain
from llm.decider import LLMDecider
from llm.patience import NeverResting
from llm.trace import LLMTurn


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m llm", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    ask = commands.add_parser("ask", help="one decision with the raw exchange")
    ask.add_argument("text")
    ask.add_argument("--lang", metavar="CODE", help="one of the domain's languages; else the message tells")
    ask.add_argument("--context", type=Path, metavar="FILE", help="tasks, history and so on, as in a line of decide")
    ask.add_argument("--json", action="store_true", help="everything as one JSON object")
    decide = commands.add_parser("decide", help="JSON Lines on standard input, one decision a line on standard output")
    for command in (ask, decide):
        command.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME", help="what it is about")
    options = parser.parse_args(arguments)
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors=LENIENT)
    domain = load_domain(options.domain)
    decider = LLMDecider(domain=domain)
    if options.command == "decide":
        decide_lines(LLMDecider(domain=domain, breaker=NeverResting()), domain, sys.stdin, sys.stdout)
        return 0
    if options.lang and options.lang not in domain.languages:
        parser.exit(2, f"--lang must be one of: {', '.join(domain.languages)}\n")
    try:
        data = json.loads(options.context.read_text(encoding="utf-8")) if options.context else {}
        # The people at the keyboard mean their own clock, so the local time is the right "now".
        context = read_context({"lang": options.lang, **data}, datetime.now(), domain)  # noqa: DTZ005
    except (OSError, ValueError, RecursionError) as error:
        parser.exit(2, f"{error}\n")
    turn = decider.ask(options.text, context)
    sys.stdout.write(_as_json(turn, domain) if options.json else _as_text(turn))
    return 1 if turn.trace.outcome == "failed" else 0


def _as_json(turn: LLMTurn, domain: Domain) -> str:
    shown = {"decision": write_decision(turn.decision, domain.catalogue), "trace": asdict(turn.trace)}
    return json.dumps(shown, ensure_ascii=False, indent=2, default=str) + "\n"


def _as_text(turn: LLMTurn) -> str:
    decision, trace, answer = turn.decision, turn.trace, turn.trace.answer
    confidence = "none" if decision.confidence is None else f"{decision.confidence} ({trace.confidence_source})"
    lines = [
        f"{decision.action} · {decision.intent} · {decision.reason}",
        *(f"  {call.tool_name}({_written(call.parameters)})" for call in decision.calls),
        f"  says: {decision.message}",
        f"  confidence: {confidence}",
        f"outcome: {trace.outcome}" + (f" · {trace.problem}" if trace.problem else ""),
        f"asked: {trace.model} at {trace.endpoint}, by {trace.path}",
        *(f"  {message['role']}: {message['content']}" for message in trace.request.get("messages", ())),
        f"answered: {answer.text}",
        *(f"  {call.name} {call.arguments}" for call in answer.calls),
        f"tokens: {answer.prompt_tokens} read, {answer.answer_tokens} written",
        f"milliseconds: {_whole(answer.first_token_ms)} to the first token, {_whole(trace.total_ms)} in all",
        *(f"failed before: {sentence}" for sentence in trace.attempts),
    ]
    return "\n".join(lines) + "\n"


def _written(parameters: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in parameters.items())


def _whole(milliseconds: float | None) -> str:
    return "none" if milliseconds is None else f"{milliseconds:.0f}"


if __name__ == "__main__":
    sys.exit(main())
