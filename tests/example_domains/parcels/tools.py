"""What the parcel assistant can do: one typed signature with a docstring a tool, its facts beside it."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, Protocol

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import TypedDict

from engine.domain import Catalogue, read_catalogue, tool

LABEL = "Parcels"
State = Literal["all", "on_the_way", "delivered"]
Name = Annotated[str, MinLen(1), MaxLen(200)]
Address = Annotated[str, MinLen(1), MaxLen(300)]


class Parcel(TypedDict):
    id: str
    number: int
    title: str
    address: str
    place: str
    delivered: bool


class ParcelResult(TypedDict):
    status: Literal["success", "error"]
    item_id: NotRequired[str]
    number: NotRequired[int]
    title: NotRequired[str]
    address: NotRequired[str]
    place: NotRequired[str]
    changed: NotRequired[bool]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class ParcelsResult(TypedDict):
    status: Literal["success", "error"]
    count: NotRequired[int]
    total: NotRequired[int]
    items: NotRequired[list[Parcel]]
    error_kind: NotRequired[str]
    error_message: NotRequired[str]


class ParcelTools(Protocol):
    @tool(
        intent="list_parcels",
        label="List parcels",
        effect="read",
        reads={"filter": "state_filter", "search": "search", "limit": "limit"},
    )
    def list_parcels(
        self,
        filter: State = "all",  # noqa: A002 - the name is the interface
        search: Name | None = None,
        limit: Annotated[int, Ge(1), Le(100)] | None = None,
    ) -> ParcelsResult:
        """List the user's parcels.

        Args:
            filter: Which parcels by state.
            search: Only parcels whose name or address contains all of these words.
            limit: At most this many.
        """
        ...

    @tool(intent="track_parcel", label="Track a parcel", effect="read", target="parcel")
    def track_parcel(self, parcel: Name) -> ParcelResult:
        """Say where a parcel is.

        Args:
            parcel: The parcel's number (#2), or its name or a part of it.
        """
        ...

    @tool(
        intent="redirect_parcel",
        label="Redirect a parcel",
        effect="change",
        target="parcel",
        reads={"address": "words"},
    )
    def redirect_parcel(self, parcel: Name, address: Address) -> ParcelResult:
        """Send a parcel to another address.

        Args:
            parcel: The parcel's number (#2), or its name or a part of it.
            address: Where it shall go instead.
        """
        ...


CATALOGUE: Catalogue = read_catalogue(ParcelTools, states=("on_the_way", "delivered"))
