"""A page that ends early takes the fragments of what stood there before with it.

Streamlit forgets them only at the end of a run that reached it. After `st.stop()` or an error it still runs one that
the browser asked for a moment ago, at a place that the shorter page no longer has: the browser answers "Bad delta path
index" and shows nothing at all until the page is loaded anew. `tests/ui/test_gone_fragments.py` holds what this relies
on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx


@contextmanager
def forgetting_gone_fragments() -> Iterator[None]:
    """Around what draws a whole page."""
    try:
        yield
    except (StopException, Exception):
        _forget_others()
        raise


def _forget_others() -> None:
    """All but those that this run has drawn."""
    context = get_script_run_ctx(suppress_warning=True)
    if context and not context.fragment_ids_this_run:
        context.fragment_storage.clear(new_fragment_ids=context.shared.new_fragment_ids.snapshot())
