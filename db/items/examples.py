"""The things that a domain brings along to be tried out with."""

from __future__ import annotations

import uuid

from db import audit
from db.audit import Origin
from db.connection import Database
from db.items.service import ItemService
from db.users import User
from engine.domain import Domain
from engine.values import ToolCall


def load_examples(database: Database, user: User, domain: Domain) -> int:
    """Add them to what the person has; the trail has them like any other change, and one undo takes all back."""
    origin = Origin("seed", batch_id=str(uuid.uuid4()))
    with database.write() as session:
        items = ItemService(session, user, domain)
        for example in domain.examples:
            fields = {name: value for name, value in example.items() if name not in ("title", "status")}
            item = items.add(str(example["title"]), fields)
            if example.get("status"):
                items.change(item.id, status=str(example["status"]))
        for change in items.changes:
            result = {"status": "success", "item_id": change.subject_id}
            audit.append(session, user.id, ToolCall(f"example_{domain.name}"), origin, result=result, change=change)
    return len(domain.examples)
