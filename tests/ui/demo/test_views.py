"""What the stage shows of a message."""

from __future__ import annotations

import pytest

from ui.demo.script import ScenarioStep
from ui.demo.views import view_message


@pytest.mark.parametrize(
    ("say", "point", "shown"),
    [
        ("edit it now", "it", ("edit ", "it", " now")),
        ("make it so", "", ("make it so", "", "")),
        ("unbelievable", "believ", ("un", "believ", "able")),
        ("non toccare", "non", ("", "non", " toccare")),
        ("what? (really)", "(really)", ("what? ", "(really)", "")),
    ],
)
def test_the_words_that_the_note_is_about_are_marked_as_words(
    say: str, point: str, shown: tuple[str, str, str]
) -> None:
    step = ScenarioStep.model_validate({"say": say, "point": point, "note": "x", "right": "nothing"})
    view = view_message(step, coming=False)
    assert (view.before, view.point, view.after) == shown
