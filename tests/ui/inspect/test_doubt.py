"""What Inspect tells of a doubt."""

from __future__ import annotations

from engine.decision import Factor
from ui.inspect.steps import tell_doubt


def test_a_doubt_is_a_share_and_where_it_is_asked_about_it_says_why() -> None:
    assert tell_doubt(0.021, None) == "Doubt: 2% of changes like this one were wrong."
    told = tell_doubt(0.84, Factor("doubt", -0.6, None, "commas, several changes"))
    assert told == "Doubt: 84% of changes like this one were wrong (commas, several changes), so it is asked about."
