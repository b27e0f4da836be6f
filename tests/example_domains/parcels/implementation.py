"""The parcel tools over the store's things: what they change is in the audit trail and can be undone."""

from __future__ import annotations

from typing import Any

from engine.items import Item, ItemStore


class Parcels:
    def __init__(self, items: ItemStore) -> None:
        self._items = items

    def list_parcels(
        self,
        filter: str = "all",  # noqa: A002 - the name is the interface
        search: str | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]:
        found = self._items.find(status=None if filter == "all" else filter, search=search, limit=limit)
        listed = [_listed(item) for item in found.items]
        return {"status": "success", "count": len(listed), "total": found.total, "items": listed}

    def track_parcel(self, parcel: str) -> dict[str, Any]:
        return _told(self._items.get(parcel), changed=False)

    def redirect_parcel(self, parcel: str, address: str) -> dict[str, Any]:
        item = self._items.change(self._items.get(parcel).id, fields={"address": address})
        return _told(item, changed=self._items.changed)


def bind(items: ItemStore) -> Parcels:
    return Parcels(items)


def _listed(item: Item) -> dict[str, Any]:
    told = {name: str(item.fields.get(name, "")) for name in ("address", "place")}
    return {"id": item.id, "number": item.number, "title": item.title, **told, "delivered": item.status == "delivered"}


def _told(item: Item, *, changed: bool) -> dict[str, Any]:
    told = {name: str(item.fields.get(name, "")) for name in ("address", "place")}
    return {"status": "success", "item_id": item.id, "number": item.number, "title": item.title, **told} | {
        "changed": changed
    }
