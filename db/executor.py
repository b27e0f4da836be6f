"""Carries out tool calls for one user. The one place where exceptions become results.

A call is one transaction: the change and its row in the audit trail are kept together or not at all. `within` a
transaction that is open already, several calls and what else is written there are kept together or not at all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session

from db import audit
from db.audit import Origin, RecordedChange
from db.changes import Change, SubjectKind
from db.connection import Database
from db.failures import ConnectionLostError, StoreUnavailableError, ToolFailure
from db.items.service import ItemService
from db.machines.service import MachineService
from db.machines.tools import UserMachineTools
from db.subjects import SUBJECTS
from db.tasks.resolve import resolve_task
from db.tasks.service import Clock, TaskService
from db.tasks.tools import UserTools
from db.users import User
from domains.catalogues import find_domain_of, find_facts, load_all_tools
from domains.loading import load_domain
from domains.machines.tools import MACHINE_TOOL_NAMES
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.domain import Domain
from engine.text.folding import title_words
from engine.text.visible import show_controls
from engine.values import ErrorKind, ToolCall, ToolResult
from telemetry import metrics, spans

_log = logging.getLogger(__name__)


class Executor:
    """Chat, table, MCP and import all act on the store through one of these."""

    def __init__(self, database: Database, user: User, clock: Clock, session: Session | None = None) -> None:
        self._database = database
        self._user = user
        self._clock = clock
        self._session = session

    def within(self, session: Session) -> Executor:
        """The same, in the transaction of this session. A call that fails there is taken out of it alone; only where
        the store itself gives way, the calls raise, so that nothing of the transaction is kept."""
        return Executor(self._database, self._user, self._clock, session)

    def execute(self, call: ToolCall, origin: Origin) -> ToolResult:
        """Never raises on its own: whatever goes wrong is in the result, and the store is as it was before."""
        name = call.tool_name if call.tool_name in load_all_tools() else "unknown"
        began = time.perf_counter()
        with spans.tool(name) as span:
            result = self._execute(call, origin)
            spans.tell_error(span, str(result.error) if result.error else None)
        metrics.call_ended(tool=name, outcome=str(result.error or "ok"), seconds=time.perf_counter() - began)
        return result

    def _execute(self, call: ToolCall, origin: Origin, again: bool = False) -> ToolResult:
        """A call that was lost with its connection was not carried out, and is tried once `again`."""
        try:
            arguments = check_arguments(call.tool_name, call.parameters, load_all_tools())
            with self._write(recording=_only_reads(call.tool_name)) as session:
                audit.refuse_second(session, origin)
                tools, changes = self._bind(session, call.tool_name)
                payload: dict[str, Any] = getattr(tools, call.tool_name)(**arguments)
                audit_id = self._record(session, call, origin, payload, changes)
            return ToolResult(call.tool_name, payload, audit_id=audit_id)
        except ConnectionLostError as error:
            return self._failed(call, origin, error) if self._session or again else self._execute(call, origin, True)
        except Exception as error:
            return self._failed(call, origin, error)

    def hold(self, call: ToolCall, origin: Origin) -> ToolResult:
        """What a destructive call would act on. Nothing is done: the trail says that a person has to say yes first."""
        try:
            arguments = check_arguments(call.tool_name, call.parameters, load_all_tools())
            with self._write() as session:
                payload = self._held(session, call, arguments)
                kind = ErrorKind.NEEDS_CONFIRMATION
                audit.append(session, self._user.id, call, origin, result=payload, error=kind)
            return ToolResult(call.tool_name, payload, kind)
        except Exception as error:
            return self._failed(call, origin, error)

    def _held(self, session: Session, call: ToolCall, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What the call names, and that nothing was done to it yet."""
        domain = find_domain_of(call.tool_name) or load_domain()
        facts = domain.catalogue.by_name[call.tool_name]
        named = str(arguments[facts.target])
        if domain.implement:
            item = ItemService(session, self._user, domain).get(named)
            return _waiting(
                "item_id", item.id, item.number, item.title, f"{facts.label}: #{item.number} '{item.title}'"
            )
        task = resolve_task(TaskService(session, self._user, self._clock), named)
        would = f"Task #{task.number} '{task.title}' would be deleted"
        return _waiting("task_id", task.id, task.number, task.title, would)

    def refuse(self, call: ToolCall, origin: Origin, kind: ErrorKind, message: str) -> ToolResult:
        """A call that was turned away before it came here, kept in the trail like any other failure."""
        return self._failed(call, origin, ToolFailure(kind, message))

    def record(self, call: ToolCall, origin: Origin, result: Mapping[str, Any]) -> None:
        """Keep a call that changed nothing and was carried out elsewhere, such as a decision."""
        with self._write(recording=True) as session:
            audit.append(session, self._user.id, call, origin, result=result)

    def undo(self, audit_id: str, origin: Origin) -> ToolResult:
        """Take back a change, with the whole batch it was part of."""
        call = ToolCall(audit.UNDO)
        try:
            with self._write() as session:
                changes = audit.undo(session, self._user.id, audit_id, origin, self._clock)
            first, subject = changes[0], SUBJECTS[changes[0].kind]
            image = first.before or first.after or {}
            payload = {"status": "success", subject.id_name: first.subject_id, "title": image.get(subject.title)}
            return ToolResult(audit.UNDO, {**payload, "count": len(changes)})
        except Exception as error:
            return self._failed(call, origin, error)

    def undo_last(self, origin: Origin, gone: str = "", kind: SubjectKind = "task") -> ToolResult:
        """Take back the last change of that kind; with `gone`, the deletion of what is called so, if there was one."""
        with self._read() as session:
            change = audit.find_deleted(session, self._user.id, title_words(gone)) if gone else None
            change = change or audit.find_undoable(session, self._user.id, kind)
        return self._take_back(change, origin, "There is nothing to undo.")

    def redo_last(self, origin: Origin, kind: SubjectKind = "task") -> ToolResult:
        """Make the change again that was taken back last, if nothing was changed since."""
        with self._read() as session:
            change = audit.find_redoable(session, self._user.id, kind)
        return self._take_back(change, origin, "There is nothing to redo.")

    def _take_back(self, change: RecordedChange | None, origin: Origin, nothing: str) -> ToolResult:
        if change is None:
            return make_failure(audit.UNDO, ToolFailure(ErrorKind.NOT_FOUND, nothing))
        result = self.undo(change.audit_id, origin)
        told = {"undone": change.kind, "title": change.title, "number": change.number, "count": change.count}
        return replace(result, payload={**result.payload, **told}) if result.ok else result

    @contextmanager
    def _write(self, *, recording: bool = False) -> Iterator[Session]:
        if self._session is None:
            with self._database.write(recording=recording) as session:
                yield session
        else:
            with self._session.begin_nested():  # a savepoint: a call that fails leaves the others as they are
                yield self._session

    @contextmanager
    def _read(self) -> Iterator[Session]:
        if self._session is None:
            with self._database.read() as session:
                yield session
        else:
            yield self._session

    def _bind(self, session: Session, tool_name: str) -> tuple[object, list[Change]]:
        """The tools that know this call, and where they note what they changed."""
        domain = find_domain_of(tool_name)
        if domain and domain.implement:
            items = ItemService(session, self._user, domain)
            return domain.implement(items), items.changes
        if tool_name in MACHINE_TOOL_NAMES:
            machines = MachineService(session, self._user, self._clock)
            return UserMachineTools(machines), machines.changes
        tasks = TaskService(session, self._user, self._clock)
        return UserTools(tasks, self._user), tasks.changes

    def _record(
        self, session: Session, call: ToolCall, origin: Origin, payload: dict[str, Any], changes: list[Change]
    ) -> str:
        change = changes[0] if changes else None
        return audit.append(session, self._user.id, call, origin, result=payload, change=change)

    def _failed(self, call: ToolCall, origin: Origin, error: Exception) -> ToolResult:
        if self._session and _is_of_the_store(error):
            raise error  # the transaction is lost, and with it the calls before this one
        result = make_failure(call.tool_name, error)
        if result.error is ErrorKind.UNAVAILABLE:
            return result  # a store that is away cannot record that it is
        try:
            with self._write(recording=True) as session:
                audit.append(session, self._user.id, call, origin, result=result.payload, error=result.error)
        except StoreUnavailableError as again:
            _log.warning("The failed call of %r could not be recorded: %s", call.tool_name[:80], type(again).__name__)
        return result


def _only_reads(tool_name: str) -> bool:
    facts = find_facts(tool_name)
    return facts is not None and not facts.changes_something


def changed_by(domain: Domain) -> SubjectKind:
    """What the tools of a domain change."""
    if domain.implement:
        return "item"
    return "machine" if MACHINE_TOOL_NAMES[0] in domain.catalogue.by_name else "task"


def _is_of_the_store(error: Exception) -> bool:
    """A full disk, a damaged file; not a constraint, which is a bug of ours."""
    return isinstance(error, DBAPIError | StoreUnavailableError) and not isinstance(error, IntegrityError)


def _waiting(id_name: str, subject_id: str, number: int, title: str, would: str) -> dict[str, Any]:
    message = f"Nothing was done yet. {show_controls(would)}; a person has to say yes first."
    error = {"status": "error", "error_kind": str(ErrorKind.NEEDS_CONFIRMATION), "error_message": message}
    return {**error, id_name: subject_id, "number": number, "title": title}


def make_failure(tool_name: str, error: Exception) -> ToolResult:
    """The result for an exception. The set of kinds is closed; a bug's details go to the log only."""
    if isinstance(error, BadArgumentsError):
        error = ToolFailure(error.kind, error.message)
    if isinstance(error, OverflowError):  # 2**63 and beyond, which no column holds, and days after the year 9999
        error = ToolFailure(ErrorKind.INVALID_VALUE, "A number in this call is too large.")
    if isinstance(error, ToolFailure):
        payload: dict[str, Any] = {"status": "error", "error_kind": str(error.kind), "error_message": error.message}
        if error.suggestions:
            payload["suggestions"] = [
                {"id": task.id, "number": task.number, "title": task.title} for task in error.suggestions
            ]
        return ToolResult(tool_name, payload, error.kind)
    if isinstance(error, StoreUnavailableError):
        kind, message = ErrorKind.UNAVAILABLE, str(error)
    else:
        _log.error("Tool call %r failed", tool_name[:80], exc_info=error)
        kind, message = ErrorKind.INTERNAL, "Something went wrong on our side. Nothing was changed."
    return ToolResult(tool_name, {"status": "error", "error_kind": str(kind), "error_message": message}, kind)
