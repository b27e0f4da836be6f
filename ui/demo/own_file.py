"""Takes a script that somebody brings, once it was checked; what is wrong with it is kept to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.policy.yaml_text import Fault
from ui.demo.script_file import ScriptError, read_script
from ui.state.demo import keep_own_script
from ui.state.fields import put_value, read_value

UPLOAD_KEY, _FAULTS = "demo_file", "demo_file_faults"
_MOST_FAULTS = 12


def take_file() -> None:
    """The file in the uploader. What was loaded before stays where it cannot be used."""
    uploaded: Any = read_value(UPLOAD_KEY)
    put_value(_FAULTS, ())
    if uploaded is None:
        return
    try:
        text = uploaded.getvalue().decode("utf-8-sig")
        read_script(text)
    except UnicodeDecodeError:
        put_value(_FAULTS, (Fault(1, "this is no text in UTF-8"),))
    except ScriptError as error:
        put_value(_FAULTS, error.faults[:_MOST_FAULTS])
    else:
        keep_own_script(text)


def read_faults() -> Sequence[Fault]:
    return read_value(_FAULTS) or ()
