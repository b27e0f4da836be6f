"""One answer for all calls of a message, in the user's language."""

from __future__ import annotations

import pytest

from domains.loading import load_domain
from domains.machines.report import describe_state, report_machines, say_cancelled
from engine.conduct import Ran
from engine.values import ErrorKind, ToolResult, make_call

STATE = {"power": "on", "light": "off", "defrost": "idle", "target_temperature": "4.5", "fan_speed": "low"}


def ran(tool: str, payload: dict[str, object], error: ErrorKind | None = None, **arguments: object) -> Ran:
    status = "error" if error else "success"
    result = ToolResult(tool, {"status": status, "device_name": "Frigo Cucina", **payload}, error)
    return Ran(make_call(tool, arguments, "words"), result, "Frigo Cucina")


def command(name: str, *, changed: bool = True, **arguments: object) -> Ran:
    return ran("machine_command_execute", {"command": name, "state": STATE, "changed": changed}, **arguments)


def measured(**values: float) -> Ran:
    units = {"temperature": "°C", "humidity": "%"}
    metrics = [{"metric": name, "unit": units.get(name, ""), "value": value} for name, value in values.items()]
    return ran("metrics_read", {"metrics": metrics})


DETAIL = ran("device_detail", {"connected": True, "state": STATE})


@pytest.mark.parametrize(
    ("calls", "english", "italian"),
    [
        ([command("turn_on_light")], "Frigo Cucina: light switched on.", "Frigo Cucina: luce accesa."),
        (
            [command("turn_on_light", changed=False)],
            "Frigo Cucina: light already on.",
            "Frigo Cucina: luce già accesa.",
        ),
        (
            [command("set_temperature", value=5.5)],
            "Frigo Cucina: temperature set to 5.5 °C.",
            "Frigo Cucina: temperatura impostata a 5,5 °C.",
        ),
        ([command("open_hatch")], "Frigo Cucina: open hatch carried out.", "Frigo Cucina: open hatch eseguito."),
        (
            [command("set_speed", value=3.0)],
            "Frigo Cucina: set speed set to 3.",
            "Frigo Cucina: set speed impostato a 3.",
        ),
        (
            [DETAIL, measured(temperature=4.5)],
            "Frigo Cucina: connected; temperature 4.5 °C.",
            "Frigo Cucina: connesso; temperatura 4,5 °C.",
        ),
        (
            [measured(temperature=4.5, humidity=55, door=1)],
            "Frigo Cucina: temperature 4.5 °C; humidity 55 %; door open.",
            "Frigo Cucina: temperatura 4,5 °C; umidità 55 %; porta aperta.",
        ),
        (
            [DETAIL],
            "Frigo Cucina: connected; power on; light off; no defrost running; set to 4.5 °C; fan speed low.",
            "Frigo Cucina: connesso; acceso; luce spenta; nessuno sbrinamento in corso; impostato a 4,5 °C; "
            "fan speed low.",
        ),
    ],
)
def test_results_become_one_answer(calls: list[Ran], english: str, italian: str) -> None:
    assert report_machines(calls, "en") == english
    assert report_machines(calls, "it") == italian


def test_two_machines_have_a_line_each_in_the_order_of_the_calls() -> None:
    other = Ran(
        make_call("metrics_read", {}, "words"),
        ToolResult(
            "metrics_read",
            {"device_name": "Frigo Sala", "metrics": [{"metric": "temperature", "unit": "°C", "value": 6.0}]},
        ),
    )
    said = report_machines([other, measured(temperature=4.0), other], "en")
    assert said == "Frigo Sala: temperature 6 °C. Frigo Cucina: temperature 4 °C."


def test_a_failed_call_is_said_to_have_failed() -> None:
    silent = ran("machine_command_execute", {"error_message": "…"}, ErrorKind.NOT_CONNECTED)
    assert report_machines([silent], "en") == "Frigo Cucina is not connected, so nothing was done."
    assert report_machines([silent], "it") == "Frigo Cucina non è connesso: non è stato fatto nulla."
    other = ran("metrics_read", {"error_message": "No machine found matching 'x'."}, ErrorKind.NOT_FOUND)
    assert report_machines([other], "en") == "That did not work: No machine found matching 'x'."


def listing(total: int, names: list[str], **conditions: object) -> Ran:
    machines = [{"name": name, "connected": name != "Off"} for name in names]
    return ran("machines_list", {"count": len(names), "total": total, "machines": machines}, **conditions)


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        (listing(0, []), "You have no machines."),
        (listing(0, [], place="Roof"), "None of your machines fits."),
        (listing(1, ["A"]), "You have one machine: A."),
        (listing(2, ["A", "Off"]), "You have 2 machines: A, Off (not connected)."),
        (listing(1, ["A"], connected=True), "One of your machines fits: A."),
        (listing(12, [f"M{n}" for n in range(12)]), "12 machines, the first 10: M0, M1, M2"),
    ],
)
def test_a_list_names_the_machines(listed: Ran, words: str) -> None:
    assert report_machines([listed], "en").startswith(words)


def test_both_languages_have_the_same_sentences() -> None:
    policies = load_domain("machines").policies
    assert set(policies["en"].replies) == set(policies["it"].replies)
    assert say_cancelled("it") == "Va bene, non è stato fatto nulla."
    assert describe_state({"light": "on"}, "it") == ["luce accesa"]


def test_a_name_with_braces_is_said_as_it_is() -> None:
    odd = Ran(make_call("metrics_read", {}, "words"), ToolResult("metrics_read", {"device_name": "{0}", "metrics": []}))
    assert report_machines([odd], "en") == "{0}: nothing to report."
