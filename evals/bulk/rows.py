"""The rows of a shard, each as a message to decide, or what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

import pyarrow as pa

from engine.border.lines import read_line
from engine.border.plain import WireError
from engine.domain import Domain
from evals.bulk.files import LINE_BYTES, Shard
from evals.evaluate.own_rows import SAID, TEXTS, BadLineError
from evals.evaluate.slices import VALUE_LIMIT

_DETAILS = ("arguments", "target", "action")
"""A label that says more than the intent is read as a case of one's own file is."""
_CONTEXT = ("tasks", "lookups", "history", "pending", "lang", "now", "user")
"""What a line of the batch interface has beside its text; whatever else a log says of a message is not looked at."""
_ABOUT = ("accept", "source", "language")
_PLAIN = ("lang", "now", "user")
_NESTED = ("context", "tasks", "history", "pending", "arguments", "accept", "tags", "lookups", "machines")
_ID_LIMIT = 120
_UNREADABLE = "\ufffd"
_HALF = "a text holds half a character"
Row = dict[str, Any]


class BulkMessage(NamedTuple):
    line: int
    id: str
    text: str
    language: str | None
    now: str | None
    context: Mapping[str, Any] | None
    """What was in reach and said before, in the form of `engine.border.wire`; None: it stands alone."""
    accepted: tuple[str, ...]
    """The intents that count as right, the label first; empty: nobody said."""
    source: str
    tags: tuple[str, ...]
    detailed: Row | None
    """The row itself, where its label says more than an intent."""


class BadLine(NamedTuple):
    line: int
    problem: str


def read_messages(shard: Shard, domain: Domain, *, labels: bool = True) -> Iterator[BulkMessage | BadLine]:
    too_long = set(shard.too_long)
    for number, row in _read_parquet(shard) if shard.form == "parquet" else _read_lines(shard):
        if number in too_long:
            yield BadLine(number, f"longer than {LINE_BYTES >> 20} MB")
            continue
        if row is None:
            continue
        try:
            yield make_message(number, row, domain, labels=labels)
        except (BadLineError, WireError) as error:
            yield BadLine(number, str(error))
        except RecursionError:
            yield BadLine(number, "it is nested too deeply")


def _read_lines(shard: Shard) -> Iterator[tuple[int, Row | Exception | None]]:
    """None for an empty line."""
    lines = shard.data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=shard.first):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        yield number, _read_json(line) if line.strip() else None


def _read_json(line: bytes) -> Row | Exception:
    try:
        row = read_line(line.decode())
    except UnicodeDecodeError:
        return BadLineError("not text in UTF-8")
    except UnicodeError:
        return BadLineError(_HALF)
    except RecursionError:
        return BadLineError("it is nested too deeply")
    except WireError as error:
        return BadLineError(str(error))
    return row if isinstance(row, dict) else BadLineError("a line must be a JSON object")


def _read_parquet(shard: Shard) -> Iterator[tuple[int, Row | Exception | None]]:
    """What is nested may also stand as JSON in a column of texts."""
    number = shard.first
    with pa.ipc.open_stream(shard.data) as stream:
        for batch in stream:
            for row in batch.to_pylist():
                yield number, _plain_row(row)
                number += 1


def _plain_row(row: Row) -> Row | Exception:
    found: Row = {}
    for name, value in row.items():
        if value is None:
            continue
        if name in _NESTED and isinstance(value, str) and value[:1] in ("{", "["):
            try:
                found[name] = read_line(value)
            except (WireError, RecursionError, UnicodeError):
                return BadLineError(f"{name} is no valid JSON")
        elif isinstance(value, datetime | date):
            found[name] = value.isoformat()
        elif value == value:  # a number that is none is left out, as pandas writes what is missing
            found[name] = value
    return found


def make_message(number: int, row: Row | Exception, domain: Domain, *, labels: bool = True) -> BulkMessage:
    """BadLineError or WireError: what is wrong with it."""
    if isinstance(row, Exception):
        raise row
    text = next((row[name] for name in TEXTS if row.get(name)), None)
    if not isinstance(text, str) or not text.strip():
        raise BadLineError("there is no text in it")
    if _UNREADABLE in text:
        raise BadLineError("not text in UTF-8")
    if row.get("domain") not in (None, "", domain.name):
        raise BadLineError(f"it is about {row['domain']}, not about {domain.name}")
    language = row.get("lang") or row.get("language")
    if language is not None and language not in domain.languages:
        raise BadLineError(f"lang must be one of {', '.join(domain.languages)}, not {str(language)[:20]!r}")
    now = row.get("now")
    if now is not None and not isinstance(now, str):
        raise BadLineError("now must be a time as text")
    accepted = _accepted(row, domain) if labels else ()
    detailed = bool(accepted) and any(row.get(name) for name in _DETAILS)
    return BulkMessage(
        number,
        str(row.get("id") or f"line-{number}")[:_ID_LIMIT],
        text,
        language,
        now,
        _context_of(row, domain),
        accepted,
        str(row.get("source") or "")[:VALUE_LIMIT],
        _tags(row.get("tags")),
        row if detailed else None,
    )


def _context_of(row: Row, domain: Domain) -> Mapping[str, Any] | None:
    inside = row.get("context") or {}
    if not isinstance(inside, dict):
        raise BadLineError("context must be an object")
    # A domain with a reading of its own says itself what is in reach: machines, rooms.
    own = [name for name in row if name not in SAID and name not in _ABOUT] if domain.conduct else _CONTEXT
    beside = {name: row[name] for name in own if name in row}
    found = {name: value for name, value in {**beside, **inside}.items() if value not in (None, "", [], {})}
    return found if any(name not in _PLAIN for name in found) else None


def _accepted(row: Row, domain: Domain) -> tuple[str, ...]:
    """As `accept`, `intent` or `tool` says; none where the line says nothing."""
    intents = domain.catalogue.intents
    if "tool" in row and not row.get("intent"):
        tool = str(row["tool"] or "").strip()
        if tool.casefold() in ("", "none", "null", "-"):
            return ("unknown",)
        if tool not in domain.catalogue.by_name:
            raise BadLineError(f"there is no tool {tool[:40]!r}")
        return (domain.catalogue.intent_of(tool),)
    said = row.get("accept") or ()
    label = str(row.get("intent") or "").strip()
    if not isinstance(said, list | tuple):
        raise BadLineError("accept must be a list of intents")
    others = tuple(str(each) for each in said)
    accepted = (label, *(each for each in others if each != label)) if label and (not said or label in said) else others
    for each in accepted:
        if each not in intents:
            raise BadLineError(f"there is no intent {each[:40]!r}; there are {', '.join(intents)}")
    return accepted


def _tags(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list) else str(value).split(";") if value else ()
    return tuple(dict.fromkeys(str(part).strip()[:VALUE_LIMIT] for part in parts if str(part).strip()))


def write_context(message: BulkMessage) -> str | None:
    """What Inspect needs to open it again, as JSON; None where the words are all."""
    plain = {name: value for name, value in (("lang", message.language), ("now", message.now)) if value}
    whole = {**plain, **(message.context or {})}
    return json.dumps(whole, ensure_ascii=False, sort_keys=True) if whole else None
