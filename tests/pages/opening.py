"""Opening a page without a browser, at an address."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

PAGES = Path(__file__).parent.parent.parent / "pages"


def open_at(page_name: str, address: dict[str, str], seconds: float = 30) -> AppTest:
    """The page after its first run, which must not have failed."""
    page = AppTest.from_file(str(PAGES / f"{page_name}.py"), default_timeout=seconds)
    for name, value in address.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception, page.exception
    return page
