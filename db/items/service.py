"""Things of domains that have no table of their own: one table for all of them, bound to a person and a domain."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from rapidfuzz import fuzz, process
from sqlalchemy import JSON, Column, UniqueConstraint
from sqlmodel import Field, Session, col, func, select

from db.changes import Change
from db.failures import ToolFailure
from db.models import Base
from db.tasks.images import Image
from db.text import clean_title, within_reach
from db.users import User
from domains.loading import numbered_nouns
from engine.domain import Domain
from engine.items import Found, Item
from engine.targets.identifiers import parse_identifier
from engine.text.folding import fold, split_words
from engine.values import ErrorKind, Task

_KEPT = ("id", "user_id", "domain", "number", "title", "status", "fields")
_POOL = 500
"""So many of a person's things are looked through for a mention: domains of this kind are small."""
_NEAREST_SCORE = 60
_SUGGESTIONS = 5


class ItemRow(Base, table=True):
    __tablename__ = "items"
    __table_args__ = (UniqueConstraint("user_id", "domain", "number"),)

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    domain: str
    number: int
    title: str
    title_key: str
    words: str
    """Of the title and the fields, folded: what a search looks at."""
    status: str
    fields: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime
    updated_at: datetime


class ItemService:
    """Serves `engine.items.ItemStore`, and the engine's look-ups, inside the caller's transaction."""

    def __init__(self, session: Session, user: User, domain: Domain) -> None:
        self._session, self._user, self._domain, self._open = session, user, domain.name, domain.catalogue.states[0]
        self._nouns = numbered_nouns(domain.name)
        self.changes: list[Change] = []
        """What was done through this service, for the audit trail."""

    @property
    def changed(self) -> bool:
        return bool(self.changes)

    # What the engine looks up

    def find_by_id(self, item_id: str) -> Task | None:
        return next((make_thing(row) for row in self._session.exec(self._own().where(ItemRow.id == item_id))), None)

    def find_by_number(self, number: int) -> Task | None:
        return next((make_thing(row) for row in self._session.exec(self._own().where(ItemRow.number == number))), None)

    def recent(self, limit: int) -> tuple[Task, ...]:
        order = (col(ItemRow.updated_at).desc(), col(ItemRow.number).desc())
        return tuple(make_thing(row) for row in self._session.exec(self._own().order_by(*order).limit(limit)))

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Those with the same title, then with words of the mention in it, then with a similar one."""
        rows = list(self._session.exec(self._own().order_by(col(ItemRow.number).desc()).limit(_POOL)))
        key, asked = fold(mention), set(split_words(mention))
        found = [row for row in rows if row.title_key == key]
        shared = sorted(rows, key=lambda row: -len(asked & set(split_words(row.title))))
        found += [row for row in shared if asked & set(split_words(row.title)) and row not in found]
        close = process.extract(
            key, [row.title_key for row in rows], scorer=fuzz.WRatio, limit=limit, score_cutoff=_NEAREST_SCORE
        )
        found += [rows[place] for _, _, place in close if rows[place] not in found]
        return tuple(make_thing(row) for row in found[:limit])

    # What a domain's tools do

    def add(self, title: str, fields: Mapping[str, object] | None = None) -> Item:
        highest = self._session.exec(
            select(func.max(ItemRow.number)).where(ItemRow.user_id == self._user.id, ItemRow.domain == self._domain)
        ).one()
        moment = datetime.now(UTC)
        row = ItemRow(
            id=str(uuid.uuid4()),
            user_id=self._user.id,
            domain=self._domain,
            number=(highest or 0) + 1,
            title=clean_title(title),
            title_key="",
            words="",
            status=self._open,
            fields=dict(fields or {}),
            created_at=moment,
            updated_at=moment,
        )
        self._session.add(_with_words(row))
        return self._done(row, None)

    def get(self, identifier: str) -> Item:
        named = parse_identifier(identifier, self._nouns)
        exact = self._select(ItemRow.id == (named.uuid or identifier))
        found = list(exact or (self._select(ItemRow.number == named.number) if named.number else ()))
        found = found or self._titled(named.text)
        if len(found) == 1:
            return found[0]
        shown = named.text if len(named.text) <= 80 else named.text[:79] + "…"
        if found:
            raise ToolFailure(ErrorKind.SEVERAL_MATCHES, f"Several match '{shown}'. Please be more specific.")
        nearest = ", ".join(f"'{item.title}'" for item in self.candidates(named.text, _SUGGESTIONS))
        hint = f" Did you mean {nearest}?" if nearest else ""
        raise ToolFailure(ErrorKind.NOT_FOUND, f"Nothing found matching '{shown}'.{hint}")

    def change(
        self,
        item_id: str,
        *,
        title: str | None = None,
        status: str | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> Item:
        row = self._row(item_id)
        before = make_item_image(row)
        row.title = clean_title(title) if title is not None else row.title
        row.status = status if status is not None else row.status
        row.fields = {**row.fields, **(fields or {})}  # a new object: SQLAlchemy does not see changes inside the old
        if make_item_image(row) == before:
            return make_item(row)
        row.updated_at = datetime.now(UTC)
        return self._done(_with_words(row), before)

    def remove(self, item_id: str) -> Item:
        row = self._row(item_id)
        item = make_item(row)
        self.changes.append(Change(row.id, make_item_image(row), None, "item"))
        self._session.delete(row)
        self._session.flush()
        return item

    def find(
        self, *, status: str | None = None, search: str | None = None, limit: int | None = None, offset: int = 0
    ) -> Found:
        conditions: list[Any] = [ItemRow.status == status] if status else []
        conditions += [col(ItemRow.words).contains(word, autoescape=True) for word in split_words(search or "")]
        total = self._session.exec(select(func.count()).select_from(ItemRow).where(*self._whose(), *conditions)).one()
        rows = self._session.exec(
            self._own().where(*conditions).order_by(col(ItemRow.number)).limit(limit).offset(within_reach(offset))
        )
        return Found(tuple(make_item(row) for row in rows), total)

    # Inside

    def _whose(self) -> tuple[Any, ...]:
        return ItemRow.user_id == self._user.id, ItemRow.domain == self._domain

    def _own(self) -> Any:
        return select(ItemRow).where(*self._whose())

    def _select(self, condition: Any) -> tuple[Item, ...]:
        return tuple(make_item(row) for row in self._session.exec(self._own().where(condition)))

    def _titled(self, text: str) -> list[Item]:
        key = fold(text)
        same = self._select(ItemRow.title_key == key)
        return list(same or (self._select(col(ItemRow.title_key).contains(key, autoescape=True)) if key else ()))

    def _row(self, item_id: str) -> ItemRow:
        row: ItemRow | None = self._session.exec(self._own().where(ItemRow.id == item_id)).first()
        if row is None:
            raise ToolFailure(ErrorKind.NOT_FOUND, f"Nothing found matching '{item_id}'.")
        return row

    def _done(self, row: ItemRow, before: Image | None) -> Item:
        self._session.flush()
        self.changes.append(Change(row.id, before, make_item_image(row), "item"))
        return make_item(row)


def make_item(row: ItemRow) -> Item:
    """The snapshot that leaves the room."""
    stamps = (row.created_at.isoformat(timespec="seconds"), row.updated_at.isoformat(timespec="seconds"))
    return Item(row.id, row.number, row.title, row.status, dict(row.fields), *stamps)


def make_thing(row: ItemRow) -> Task:
    """As the engine sees it."""
    stamps = (row.created_at.isoformat(timespec="seconds"), row.updated_at.isoformat(timespec="seconds"))
    return Task(row.id, row.number, row.title, status=row.status, created_at=stamps[0], updated_at=stamps[1])


def make_item_image(row: ItemRow) -> Image:
    return {**{name: getattr(row, name) for name in _KEPT}, "fields": dict(row.fields)}


def find_item_image(session: Session, user_id: str, item_id: str) -> Image | None:
    row = session.exec(select(ItemRow).where(ItemRow.id == item_id, ItemRow.user_id == user_id)).first()
    return make_item_image(row) if row else None


def apply_item_image(session: Session, item_id: str, image: Image | None) -> None:
    """Make it what the image says: restored, or gone where the image is None."""
    row = session.get(ItemRow, item_id)
    moment = datetime.now(UTC)
    if image is None:
        if row is not None:
            session.delete(row)
    elif row is None:
        values = {name: image[name] for name in _KEPT}
        session.add(_with_words(ItemRow(**values, title_key="", words="", created_at=moment, updated_at=moment)))
    else:
        for name in ("title", "status", "fields"):
            setattr(row, name, image[name])
        row.updated_at = moment
        _with_words(row)
    session.flush()


def _with_words(row: ItemRow) -> ItemRow:
    row.title_key = fold(row.title)
    row.words = " ".join(split_words(" ".join([row.title, *(str(value) for value in row.fields.values())])))
    return row
