"""Several processes, one embedded model: whoever holds the lock runs it, and the next one takes it over."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest

from llm.embedded import Address, EmbeddedError
from llm.machine_server import MachineServer

PATIENT = 20


class ScriptedServer:
    """Stands in for the child with the model, which takes seconds to load: ready at once, until told otherwise."""

    def __init__(self, number: int) -> None:
        self.now: tuple[Address | None, str] = (Address(f"http://127.0.0.1:{9000 + number}/v1", f"key-{number}", 1), "")
        self.started = self.stopped = False

    def start(self) -> None:
        self.started = True

    def look(self) -> tuple[Address | None, str]:
        return self.now

    def stop(self) -> None:
        self.stopped = True


class Machine:
    def __init__(self, folder: Path) -> None:
        self.made: list[ScriptedServer] = []
        self.folder = folder
        self.servers: list[MachineServer] = []

    def make_own(self) -> ScriptedServer:
        self.made.append(ScriptedServer(len(self.made)))
        if len(self.made) > 1:  # later ones take a while to load
            self.made[-1].now = (None, "")
        return self.made[-1]

    def start_process(self) -> MachineServer:
        server = MachineServer(self.make_own, self.folder / "run" / "model-x")  # type: ignore[arg-type]
        server.start()
        self.servers.append(server)
        return server


@pytest.fixture
def machine(tmp_path: Path):  # type: ignore[no-untyped-def]
    machine = Machine(tmp_path)
    yield machine
    for server in machine.servers:
        server.stop()


def until(server: MachineServer, url: str) -> Address:
    """The address as soon as it is this one."""
    end = time.monotonic() + PATIENT
    while True:
        try:
            address = server.wait_ready(PATIENT)
        except EmbeddedError:
            address = None
        if address and address.base_url == url:
            return address
        assert time.monotonic() < end, f"{address} and not {url}"


def test_the_first_runs_it_and_the_others_use_it(machine: Machine) -> None:
    first = machine.start_process()
    address = first.wait_ready(PATIENT)
    others = [machine.start_process() for _ in range(3)]
    assert [each.wait_ready(PATIENT) for each in others] == [address] * 3
    assert len(machine.made) == 1
    assert [each.runs_it for each in (first, *others)] == [True, False, False, False]
    file = next((machine.folder / "run").glob("*.json"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600  # it holds the key


def test_when_its_process_ends_another_one_starts_it_again(machine: Machine) -> None:
    first = machine.start_process()
    first.wait_ready(PATIENT)
    second = machine.start_process()
    second.wait_ready(PATIENT)
    first.stop()
    assert machine.made[0].stopped
    end = time.monotonic() + PATIENT
    while not second.is_getting_ready:  # nobody is sent to where it was
        assert time.monotonic() < end
    machine.made[1].now = (Address("http://127.0.0.1:9001/v1", "key-1", 1), "")
    assert until(second, "http://127.0.0.1:9001/v1").key == "key-1"
    assert second.runs_it


def test_a_model_that_died_and_came_back_elsewhere_is_found_there(machine: Machine) -> None:
    first = machine.start_process()
    first.wait_ready(PATIENT)
    second = machine.start_process()
    second.wait_ready(PATIENT)
    machine.made[0].now = (Address("http://127.0.0.1:9555/v1", "new", 2), "")
    assert until(second, "http://127.0.0.1:9555/v1").key == "new"


def test_that_it_was_given_up_is_told_to_all(machine: Machine) -> None:
    first = machine.start_process()
    first.wait_ready(PATIENT)
    second = machine.start_process()
    second.wait_ready(PATIENT)
    machine.made[0].now = (None, "The embedded model does not start: it ended.")
    end = time.monotonic() + PATIENT
    while not second.problem:
        assert time.monotonic() < end
    with pytest.raises(EmbeddedError, match="does not start"):
        second.wait_ready(0)
