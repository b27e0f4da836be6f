"""`python -m evals suggest`: edits of the policy that would mend a misread case, a set of them, or a message, each
verified."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from domains.deciders import make_decider
from domains.drafts import begin_draft
from domains.loading import TASKS, list_domains, load_domain
from engine.border.wire import read_context
from engine.decider import RuleDecider
from engine.editing.edits import write_edit
from engine.text.language import detect_language
from evals.cases import find_cases, load_cases
from evals.conversations.reading import FOLDER, load_conversations
from evals.effect.composed import probe_composed
from evals.effect.conversations import probe_conversations
from evals.effect.finding import EditEffect, EffectBase
from evals.effect.probes import Probe, ProbeSource, probe_cases, probe_file
from evals.suggesting.misread import Misread, misread_case, misread_conversation, misread_message
from evals.suggesting.misread_call import find_composed, misread_composed
from evals.suggesting.search import SuggestedEdit, Suggestions, suggest
from evals.suggesting.sets import SetSuggestions, suggest_for_set

_SHOWN_ROWS = 5


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    named = _named_cases(options)
    if len(named) > 1:
        return _suggest_for_set(named, options)
    misread = _find_case(named[0], options) if named else _find_message(options)
    if misread is None:
        sys.stdout.write("It goes right: there is nothing to mend.\n")
        return 0
    begun = begin_draft(misread.domain, misread.language)
    base = EffectBase(_probes(options, misread.language), begun.policy, misread.domain)
    found = suggest(misread, begun, base, seconds=options.seconds, conversations=not options.no_conversations)
    sys.stdout.write(json.dumps(write_suggestions(found), ensure_ascii=False) + "\n" if options.json else tell(found))
    return 0 if found.safe else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals suggest", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--case", metavar="ID", action="append", default=[],
        help="a case that fails, or a conversation whose first turn does; several make a set",
    )  # fmt: skip
    what.add_argument("--set", type=Path, metavar="FILE", help="a set of cases: their ids, one a line")
    what.add_argument("--message", metavar="TEXT", help="a message; --want says what it should have been")
    parser.add_argument("--want", metavar="INTENT", help="the intent that the message should have had")
    parser.add_argument("--tool", metavar="NAME", help="or the tool that should have been called")
    parser.add_argument("--argument", action="append", default=[], metavar="NAME=VALUE", help="a value of the call")
    parser.add_argument("--context", type=Path, metavar="FILE", help="tasks, history and so on, as a line of `decide`")
    parser.add_argument("--lang", metavar="LANGUAGE")
    parser.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME")
    parser.add_argument("--cases", type=Path, metavar="PATH", help="other cases than the domain's own")
    parser.add_argument("--silent", type=Path, metavar="FILE", help="messages, one a line, that must stay silent")
    parser.add_argument("--same", type=Path, metavar="FILE", help="messages, one a line, that must stay as they are")
    parser.add_argument("--no-conversations", action="store_true", help="do not play the conversations: quicker")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the search")
    parser.add_argument("--json", action="store_true")
    return parser


def _named_cases(options: argparse.Namespace) -> tuple[str, ...]:
    lines = options.set.read_text(encoding="utf-8").splitlines() if options.set else []
    named = dict.fromkeys((*options.case, *(line.strip() for line in lines if line.strip() and line[0] != "#")))
    if options.set and not named:
        raise ValueError(f"{options.set} names no case")
    return tuple(named)


def _find_case(case_id: str, options: argparse.Namespace) -> Misread | None:
    """None: it goes right."""
    found = find_composed(case_id)
    if found:
        return misread_composed(found)
    decider = RuleDecider(load_domain(options.domain))
    place = options.cases or find_cases(options.domain)
    case = next((each for each in load_cases(place, options.domain) if each.id == case_id), None)
    if case:
        return misread_case(case, decider)
    folders = [FOLDER, *(path for path in sorted(FOLDER.iterdir()) if path.is_dir())]
    named = case_id.removeprefix("conversation:")
    conversation = next((each for each in load_conversations(folders) if each.id == named), None)
    if conversation is None:
        raise ValueError(f"there is no case {case_id!r}")
    return misread_conversation(conversation, decider)


def _suggest_for_set(named: Sequence[str], options: argparse.Namespace) -> int:
    """A language at a time: an edit is of one policy."""
    misreads = [misread for each in named if (misread := _find_case(each, options))]
    if not misreads:
        sys.stdout.write("They go right: there is nothing to mend.\n")
        return 0
    all_safe = True
    for language in dict.fromkeys(each.language for each in misreads):
        begun = begin_draft(options.domain, language)
        base = EffectBase(_probes(options, language), begun.policy, options.domain)
        chosen = [each for each in misreads if each.language == language]
        conversations = not options.no_conversations
        found = suggest_for_set(chosen, begun, base, seconds=options.seconds, conversations=conversations)
        shown = json.dumps(write_set(found), ensure_ascii=False) if options.json else "\n".join(_set_lines(found))
        sys.stdout.write(f"{shown}\n")
        all_safe = all_safe and len(found.mended) == len(chosen)
    return 0 if all_safe else 1


def _find_message(options: argparse.Namespace) -> Misread | None:
    domain = load_domain(options.domain)
    decider = make_decider(domain)
    wanted = options.want or (domain.catalogue.intent_of(options.tool) if options.tool else "")
    if not wanted:
        raise ValueError("--want or --tool must say what the message should have been")
    data = json.loads(options.context.read_text(encoding="utf-8")) if options.context else {}
    given = {**data, **({"lang": options.lang} if options.lang else {})}
    context = read_context(given, datetime.now(), domain)  # noqa: DTZ005 - a person's own clock
    values = dict(each.split("=", 1) for each in options.argument if "=" in each)
    language = detect_language(options.message, context, domain.small_words)
    misread = misread_message(options.message, context, wanted, values, domain=options.domain, language=language)
    return None if misread.passes(decider) else misread


def _probes(options: argparse.Namespace, language: str) -> tuple[Probe, ...]:
    cases = load_cases(options.cases, options.domain) if options.cases else None
    own = probe_composed(options.domain) if load_domain(options.domain).conduct else ()
    found = [*probe_cases(options.domain, cases), *own]
    files: tuple[tuple[Path | None, ProbeSource], ...] = ((options.silent, "silent"), (options.same, "same"))
    for path, source in files:
        if path:
            lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
            found += probe_file(lines, path.name, source, options.domain, language)
    if not options.no_conversations and options.domain == TASKS:
        found += probe_conversations()
    return tuple(found)


def tell(found: Suggestions) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Suggestions) -> Iterator[str]:
    misread = found.misread
    yield f"{misread.text!r} should be {' or '.join(misread.wanted)}"
    if found.told:
        yield found.told
    for number, each in enumerate(found.found, start=1):
        yield f"{number}. {each.told}"
        yield from _rows(each.effect)
    done = f"{found.tried} edits tried, {found.mended} mend it, {found.seconds:.1f} s"
    yield f"{done}{'' if found.complete else '; not all were tried: the time was up'}"


def _set_lines(found: SetSuggestions) -> Iterator[str]:
    texts = {misread.id: misread.text for misread in found.misreads}
    yield found.told
    for number, each in enumerate(found.found, start=1):
        yield f"{number}. {each.told}"
        yield from (f"     mends {name}: {texts[name]!r}" for name in each.mends)
        yield from _rows(each.effect)
    for misread in found.misreads:
        if misread.id not in found.mended:
            yield f"without a safe fix: {misread.id}: {misread.text!r}"
    yield f"{found.tried} edits tried, {found.seconds:.1f} s{'' if found.complete else '; the time was up'}"


def write_set(found: SetSuggestions) -> dict[str, object]:
    """As plain JSON."""
    return {
        "cases": [misread.id for misread in found.misreads],
        "mended": sorted(found.mended),
        "told": found.told,
        "tried": found.tried,
        "seconds": round(found.seconds, 2),
        "suggestions": [{**_write(each), "mends": list(each.mends)} for each in found.found],
    }


def _rows(effect: EditEffect) -> Iterator[str]:
    for kind, rows in (("fixed", effect.fixed), ("broken", effect.broken), ("changed", effect.changed)):
        for row in rows[:_SHOWN_ROWS]:
            yield f"     {kind} {row.probe.id}: {row.probe.text!r}: {row.before.told} -> {row.after.told}"
        if len(rows) > _SHOWN_ROWS:
            yield f"     {kind} and {len(rows) - _SHOWN_ROWS} more"


def write_suggestions(found: Suggestions) -> dict[str, object]:
    """As plain JSON."""
    return {
        "id": found.misread.id,
        "text": found.misread.text,
        "wanted": list(found.misread.wanted),
        "told": found.told,
        "decided_by": found.decided_by,
        "tried": found.tried,
        "mended": found.mended,
        "seconds": round(found.seconds, 2),
        "suggestions": [_write(each) for each in found.found],
    }


def _write(each: SuggestedEdit) -> dict[str, object]:
    return {"edit": write_edit(each.edit), "told": each.told, "safe": each.safe, **each.effect.evidence()}
