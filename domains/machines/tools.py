"""The catalogue of machine tools: one typed signature with a docstring per tool, like that of the tasks.

A device is named by its id or by its name, a command likewise; the executor resolves names, and the composer
fills in what a call leaves out. Nobody passes a user: every implementation is bound to one.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, Protocol

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import TypedDict  # pydantic refuses the one of typing before Python 3.12

from domains.machines.language import OWN
from engine.domain import read_catalogue, tool

NAME_LIMIT = 120
LIST_LIMIT = 1000
HOURS_LIMIT = 720
METRICS_LIMIT = 20

_MACHINE = ("device_id", "device_name")
_COMMAND = ("machine_command_id", "command_name")
"""Each is named by its id or by its name; the signatures require neither."""

Name = Annotated[str, MinLen(1), MaxLen(NAME_LIMIT)]
Hours = Annotated[int, Ge(1), Le(HOURS_LIMIT)]
Limit = Annotated[int, Ge(1), Le(LIST_LIMIT)]
Offset = Annotated[int, Ge(0)]


class Measured(TypedDict):
    """One metric: its latest value, and its course over the hours asked for."""

    metric: str
    unit: str
    value: float
    measured_at: str
    minimum: float
    maximum: float
    mean: float


class DeviceCommand(TypedDict):
    id: str
    name: str
    description: str


class Device(TypedDict):
    id: str
    name: str
    serial: str
    place: str
    connected: bool


class CommandResult(TypedDict):
    status: Literal["success", "error"]
    device_id: NotRequired[str]
    device_name: NotRequired[str]
    command: NotRequired[str]
    state: NotRequired[dict[str, str]]
    """The machine's state afterwards."""
    changed: NotRequired[bool]
    """False where the machine already was as asked."""
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class MetricsResult(TypedDict):
    status: Literal["success", "error"]
    device_id: NotRequired[str]
    device_name: NotRequired[str]
    metrics: NotRequired[list[Measured]]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class DeviceResult(TypedDict):
    status: Literal["success", "error"]
    device_id: NotRequired[str]
    device_name: NotRequired[str]
    serial: NotRequired[str]
    place: NotRequired[str]
    description: NotRequired[str]
    connected: NotRequired[bool]
    firmware: NotRequired[str]
    state: NotRequired[dict[str, str]]
    commands: NotRequired[list[DeviceCommand]]
    metrics: NotRequired[list[str]]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class MachinesResult(TypedDict):
    """`count` is the length of `machines`; `total` counts what matches without limit and offset."""

    status: Literal["success", "error"]
    count: NotRequired[int]
    total: NotRequired[int]
    machines: NotRequired[list[Device]]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class MachineTools(Protocol):
    """The four tools. Whoever implements them acts for exactly one user."""

    @tool(
        intent="run_command",
        label="Command a machine",
        effect="change",
        target="device_id",
        one_of=(_MACHINE, _COMMAND),
    )
    def machine_command_execute(
        self,
        device_id: Name | None = None,
        device_name: Name | None = None,
        machine_command_id: Name | None = None,
        command_name: Name | None = None,
        value: float | None = None,
    ) -> CommandResult:
        """Run one command on one machine. Give the machine and the command by id or by name.

        Args:
            device_id: The machine's id.
            device_name: The machine's name or serial number, where the id is not known.
            machine_command_id: The command's id.
            command_name: The command's name, for example turn_on_light, where the id is not known.
            value: The number that a command such as set_temperature needs.
        """
        ...

    @tool(intent="read_metrics", label="Read a machine", effect="read", target="device_id", one_of=(_MACHINE,))
    def metrics_read(
        self,
        device_id: Name | None = None,
        device_name: Name | None = None,
        metrics: Annotated[list[Name], MaxLen(METRICS_LIMIT)] | None = None,
        hours: Hours = 24,
    ) -> MetricsResult:
        """Read what one machine measures: the latest value of each metric, and its range over the last hours.

        Args:
            device_id: The machine's id.
            device_name: The machine's name or serial number, where the id is not known.
            metrics: Which metrics, for example temperature; all of them if left out.
            hours: How far back minimum, maximum and mean reach.
        """
        ...

    @tool(intent="show_machine", label="Show a machine", effect="read", target="device_id", one_of=(_MACHINE,))
    def device_detail(self, device_id: Name | None = None, device_name: Name | None = None) -> DeviceResult:
        """Say whether one machine is connected, in which state it is, and what it can do.

        Args:
            device_id: The machine's id.
            device_name: The machine's name or serial number, where the id is not known.
        """
        ...

    @tool(
        intent="list_machines",
        label="List machines",
        effect="read",
        reads={
            "place": "words",
            "connected": "state_filter",
            "state": "words",
            "search": "search",
            "limit": "limit",
            "offset": "offset",
        },
    )
    def machines_list(
        self,
        place: Name | None = None,
        connected: bool | None = None,
        state: Name | None = None,
        search: Name | None = None,
        limit: Limit | None = None,
        offset: Offset | None = None,
    ) -> MachinesResult:
        """List the user's machines, all of them or those that fit every condition given.

        Args:
            place: Only machines that stand there.
            connected: Only machines that are connected, or only those that are not.
            state: Only machines that are in this state: on, off, or a part of them with it, such as light on.
            search: Only machines whose name, serial number, place or description contains all of these words.
            limit: At most this many machines.
            offset: Leave out this many machines from the start.
        """
        ...


SAYINGS = ("turn on the light of Frigo Cucina", "Accendi la luce del frigo", "what is the temperature of the oven?")
CATALOGUE = read_catalogue(MachineTools, numbered=False, own=OWN)
COMMAND_TOOL = CATALOGUE.tools[0].name
"""The one that changes something."""
TARGET = CATALOGUE.tools[0].target
"""The argument that names a machine, in calls and in results."""
MACHINE_TOOL_NAMES: tuple[str, ...] = tuple(CATALOGUE.by_name)
