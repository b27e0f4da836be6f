"""What the price table on the Settings page does: its rows are kept for everybody who uses this workbench."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from db.roles import RoleRefusedError, require
from llm.prices import Price, PricesError, PriceTable, check_prices, make_price, save_prices
from settings import prices_path
from ui.resources import load_database
from ui.state.notices import put_notice, read_notice
from ui.state.values import Notice

PRICES = "prices"


def keep_rows(rows: Sequence[Mapping[Any, Any]], before: tuple[Price, ...]) -> tuple[Price, ...] | None:
    """Write the table for everybody if it is another one than before; None where nothing was written.

    Whatever is wrong with it, the file and what was typed stay.
    """
    try:
        filled = [row for row in rows if not all(_is_empty(value) for value in row.values())]
        prices = check_prices(make_price(_text(row["model"]), row["input"], row["output"]) for row in filled)
        if prices == before:
            _withdraw()
            return None
        require(load_database().role, "maintainer")  # a file beside the store, for everybody
        save_prices(prices_path(), PriceTable(prices, date.today().isoformat()))  # noqa: DTZ011 - the person's own day
    except RoleRefusedError as refused:
        _tell(f"Not saved. {refused}", failed=True)
    except PricesError as error:
        _tell(f"Not saved yet. {error}", failed=True)
    except OSError as error:
        _tell(f"Not saved: the prices could not be written ({error.strerror}).", failed=True)
    else:
        _tell(f"{len(prices)} prices saved, for everybody who uses this workbench.")
        return prices
    return None


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or value != value  # an empty cell of numbers is NaN


def _text(value: Any) -> str:
    return "" if _is_empty(value) else str(value)


def reset_prices() -> None:
    try:
        require(load_database().role, "maintainer")
        prices_path().unlink(missing_ok=True)
    except RoleRefusedError as refused:
        _tell(str(refused), failed=True)
    except OSError as error:
        _tell(f"The table could not be removed: {error.strerror}.", failed=True)
    else:
        _tell("Back to the prices that Twolane brings along.")


def _tell(text: str, *, failed: bool = False) -> None:
    put_notice(Notice("error" if failed else "success", text, PRICES))


def _withdraw() -> None:
    """What was wrong here is mended."""
    notice = read_notice()
    if notice and notice.place == PRICES and notice.kind == "error":
        put_notice(None)
