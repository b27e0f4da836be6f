"""`python -m engine decide` reads JSON Lines and writes one decision a line; `compose` does so for incomplete calls;
`explain` prints one decision for people, `why` what kept a message from being read as it should have been.

A command is an edge: this file, alone in its room, knows which domains there are."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from domains.deciders import load_decider
from domains.loading import TASKS, load_domain
from engine.border.lines import LENIENT, AnswerLine, answer_lines
from engine.border.wire import read_context, read_text, write_decision
from engine.decision import Decider
from engine.domain import Domain


def _decide(decider: Decider, domain: Domain) -> AnswerLine:
    def answer(data: Any, default_now: datetime) -> dict[str, object]:
        text = read_text(data)
        decision = decider.decide(text, read_context(data, default_now, domain))
        return write_decision(decision, domain.catalogue)

    return answer


def decide_lines(decider: Decider, domain: Domain, lines: TextIO, out: TextIO) -> None:
    answer_lines(_decide(decider, domain), lines, out)


def _compose(domain: str) -> AnswerLine:
    # Late: the composer needs pydantic, which deciding does without.
    from domains.composing import compose
    from domains.machines.wire import read_request
    from engine.completing.wire import write_composition

    def answer(data: Any, default_now: datetime) -> dict[str, object]:
        return write_composition(compose(read_request(data, default_now, domain=domain)))

    return answer


def compose_lines(lines: TextIO, out: TextIO, domain: str = "") -> None:
    """`domain`: what the words are about where a line calls no tool."""
    answer_lines(_compose(domain), lines, out)


def _run_lines(answer: AnswerLine) -> None:
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors=LENIENT)  # type: ignore[union-attr]
    answer_lines(answer, sys.stdin, sys.stdout)


def main(arguments: list[str] | None = None) -> int:
    # What is loaded stays: to look through it for garbage meanwhile takes a tenth of the start.
    gc.disable()
    try:
        return _run(arguments)
    finally:
        gc.enable()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    decide = commands.add_parser("decide", help="JSON Lines on standard input, one decision a line on standard output")
    compose = commands.add_parser(
        "compose", help="incomplete calls as JSON Lines (user_message, function_call, …), results out"
    )
    compose.add_argument("--domain", default="", help="what the words are about where no tool is called")
    explain = commands.add_parser("explain", help="one decision, readable in the terminal")
    explain.add_argument("text")
    why = commands.add_parser("why", help="why a message was not read as wanted: the nearest ways of asking")
    why.add_argument("text")
    why.add_argument("--want", required=True, metavar="INTENT", help="the intent that it should have had")
    why.add_argument(
        "--argument", action="append", default=[], metavar="NAME=VALUE", help="a value that the call should have had"
    )
    why.add_argument("--context", type=Path, metavar="FILE", help="tasks, history and so on, as one line of `decide`")
    guidance = commands.add_parser("guidance", help="the guidance text for the LLM")
    for command in (explain, why, guidance):
        command.add_argument("--lang", metavar="LANGUAGE", help="a language of the domain")
    for command in (decide, explain, why, guidance):
        command.add_argument("--domain", default=TASKS, help=f"what it is about; {TASKS} if left out")
    for command in (decide, explain):
        command.add_argument("--decider", choices=("engine", "baseline"), default="engine")
    for command in (decide, explain, why):
        command.add_argument(
            "--policy", type=Path, metavar="PATH", help="another policy: a language folder, or one file over it"
        )
    return parser


def _run(arguments: list[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        domain = load_domain(options.domain or TASKS)
        _check_language(domain, getattr(options, "lang", None))
    except ValueError as error:
        parser.exit(2, f"{error}\n")
    if options.command == "compose":
        _run_lines(_compose(options.domain))
        return 0
    if options.command == "guidance":
        from engine.catalogue.guidance import make_guidance  # needs pydantic, which the other commands do without

        sys.stdout.write(make_guidance(domain.policies[options.lang or domain.languages[0]], domain.thing))
        return 0
    try:
        decider = load_decider(getattr(options, "decider", "engine"), options.policy, options.domain)
        if options.command == "why":
            sys.stdout.write(_why(options, decider, domain))
            return 0
    except (ValueError, OSError) as error:
        parser.exit(2, f"{error}\n")
    if options.command == "decide":
        _run_lines(_decide(decider, domain))
    else:
        from engine.explaining.explain import (
            explain as explain_decision,  # the commands that read many lines do without
        )

        context = read_context({"lang": options.lang}, datetime.now(), domain)  # noqa: DTZ005
        sys.stdout.write(explain_decision(options.text, decider.decide(options.text, context)))
    return 0


def _why(options: argparse.Namespace, decider: Any, domain: Domain) -> str:
    from engine.why import find_why  # late: the other commands do without
    from engine.why.telling import tell_why

    data = json.loads(options.context.read_text(encoding="utf-8")) if options.context else {}
    if not isinstance(data, dict):
        raise ValueError("--context must hold one JSON object")  # noqa: TRY004 - a user's mistake, told as one
    given = {**data, **({"lang": options.lang} if options.lang else {})}
    context = read_context(given, datetime.now(), domain)  # noqa: DTZ005
    arguments = dict(each.split("=", 1) for each in options.argument if "=" in each)
    return tell_why(find_why(options.text, context, decider, options.want, arguments))


def _check_language(domain: Domain, language: str | None) -> None:
    if language is not None and language not in domain.languages:
        raise ValueError(f"--lang must be one of {', '.join(domain.languages)}, not {language!r}")


if __name__ == "__main__":
    sys.exit(main())
