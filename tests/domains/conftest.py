"""Domains beside the bundled ones, for a test: they are found once a process, so they are looked for anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from domains import catalogues, loading
from ui import words


@contextmanager
def domains_in(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOMAINS", str(folder))
        forget_domains()
        yield
    forget_domains()


def forget_domains() -> None:
    for remembered in (
        loading.load_domain,
        loading.numbered_nouns,
        catalogues.load_tools,
        catalogues.load_all_domains,
        catalogues.load_all_tools,
        catalogues._domains_by_tool,
        words.find_intent_labels,
    ):
        remembered.cache_clear()
