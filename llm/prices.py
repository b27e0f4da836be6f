"""What an answer costs: a table of prices that people can edit, and never a number where none is known."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from engine.policy.yaml_text import find_trap
from llm.trace import LLMTrace

DEFAULT_PRICES = Path(__file__).parent / "prices.yaml"
ANY_ENDING = "*"
"""A row `llama*` holds for every model whose name begins so."""
_MILLION = 1_000_000
_MOST_USD = 100_000.0
_NAME_LIMIT = 200
_EDITION = re.compile(r"[-@:](\d[\d.-]*|latest|preview)")
"""How a dated name goes on: gpt-4.1-mini-2025-04-14. Not `gpt-4.1` + `-mini`: that is another model."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class PricesError(ValueError):
    """A table that cannot be used, in a sentence that says where."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    model: str
    input_usd: float
    output_usd: float


@dataclass(frozen=True, slots=True)
class PriceTable:
    prices: tuple[Price, ...] = ()
    as_of: str = ""
    """The day, or the month, that the prices are from."""

    def __iter__(self) -> Iterator[Price]:
        return iter(self.prices)


def load_prices(path: Path | None = None) -> PriceTable:
    """The table of this file, or the one that Twolane brings along where there is none; PricesError if it is broken."""
    path = path if path and path.exists() else DEFAULT_PRICES
    try:
        text = path.read_text(encoding="utf-8")
        if trap := find_trap(text):
            raise PricesError(f"{path.name}, line {trap.line}: {trap.problem}")
        data = yaml.safe_load(text)
        rows = data["models"].items()
        prices = [make_price(name, row["input"], row["output"]) for name, row in rows]
    except (OSError, UnicodeDecodeError) as error:
        raise PricesError(f"{path.name} cannot be read: {error}") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise PricesError(f"{path.name}, line {line}: {error.problem}") from None
    except (yaml.YAMLError, KeyError, TypeError, AttributeError):
        raise PricesError(f"{path.name} must hold models, each with an input and an output price.") from None
    return PriceTable(check_prices(prices), str(data.get("as_of") or ""))


def save_prices(path: Path, table: PriceTable) -> None:
    """Write the table as a whole or not at all: a reader never sees half of it."""
    rows = {price.model: {"input": price.input_usd, "output": price.output_usd} for price in check_prices(table.prices)}
    data = {"currency": "USD", "as_of": table.as_of, "models": rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(prefix=".prices-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            yaml.safe_dump(data, file, allow_unicode=True, sort_keys=False)
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def make_price(model: Any, input_usd: Any, output_usd: Any) -> Price:
    """A row that was typed or read; PricesError says what is wrong with it."""
    name = str(model or "").strip()
    if not name or len(name) > _NAME_LIMIT:
        raise PricesError(f"Every row needs the name of a model, of at most {_NAME_LIMIT} characters.")
    return Price(name, _dollars(name, "input", input_usd), _dollars(name, "output", output_usd))


def check_prices(prices: Iterable[Price]) -> tuple[Price, ...]:
    seen: dict[str, Price] = {}
    for price in prices:
        if price.model.lower() in seen:
            raise PricesError(f"{price.model} stands in two rows; keep one.")
        seen[price.model.lower()] = price
    return tuple(seen.values())


def find_price(prices: Iterable[Price], model: str) -> Price | None:
    """The row of this very name; then the longest one that it is a dated edition of; then the longest with a `*`."""
    wanted = model.strip().lower()
    rows = {price.model.lower(): price for price in prices}
    if wanted in rows:
        return rows[wanted]
    dated = [name for name in rows if wanted.startswith(name) and _EDITION.fullmatch(wanted[len(name) :])]
    open_ended = [name for name in rows if name.endswith(ANY_ENDING) and wanted.startswith(name.rstrip(ANY_ENDING))]
    best = max(dated, key=len, default=None) or max(open_ended, key=len, default=None)
    return rows[best] if best else None


def cost_of(trace: LLMTrace, prices: Iterable[Price]) -> float | None:
    """US dollars for the exchange; None where the tokens or the price are not known.

    The embedded model is free, and so is a server on this machine, unless the table has a price for its model: it may
    pass the request on to somebody who sends a bill.
    """
    read, written = trace.answer.prompt_tokens, trace.answer.answer_tokens
    if read is None or written is None:
        return None
    if trace.endpoint == "embedded":
        return 0.0
    price = find_price(prices, trace.model)
    if price is None:
        return 0.0 if _is_on_this_machine(trace.endpoint) else None
    return (read * price.input_usd + written * price.output_usd) / _MILLION


def _is_on_this_machine(address: str) -> bool:
    try:
        return urlsplit(address).hostname in _LOOPBACK
    except ValueError:
        return False


def _dollars(model: str, which: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PricesError(f"{model}: the {which} price must be a number; 0 means free.")
    if not 0 <= value <= _MOST_USD:
        raise PricesError(f"{model}: the {which} price must lie between 0 and {_MOST_USD:,.0f} dollars.")
    return float(value)
