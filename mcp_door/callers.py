"""One client acting for one person: every call it can make, without a word about transports. All of it blocks, so the
server runs it in threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.failures import StoreUnavailableError
from db.machines.choices import read_learned
from db.machines.fleet import load_fleet
from db.reach import open_reach, read_choices
from db.tasks.service import Clock
from db.users import User
from domains.catalogues import find_domain_of
from domains.composing import compose
from domains.deciders import make_engine
from domains.loading import TASKS, DomainError, load_domain
from domains.machines.wire import read_request
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.border.plain import WireError
from engine.border.wire import read_context, write_decision
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Composition
from engine.completing.wire import write_composition
from engine.decision import Context, Decider
from engine.domain import Domain
from engine.outcome.seen import mark_of
from engine.values import Argument, ErrorKind, Provenance, ToolCall, ToolResult, make_call
from mcp_door.completing import ask_back, is_sound, list_choices
from mcp_door.confirmations import Confirmations, Held
from mcp_door.shelf import own_tools


@dataclass(frozen=True, slots=True)
class Caller:
    database: Database
    user: User
    client: str
    """The decider of its calls in the audit trail."""
    clock: Clock
    decider: Decider
    confirmations: Confirmations
    composer: ComposerSettings = DEFAULT_SETTINGS

    def prepare(self, name: str, arguments: Mapping[str, Any], words: str) -> ToolCall | ToolResult:
        """The call as it will be made, completed from the user's words where there are some; or what is left to ask.

        A call that is sound by itself is made as it came, whatever the composer thinks of it.
        """
        call = make_call(name, arguments, "llm")
        if not self.composer.enabled or not words or find_domain_of(name) is None:
            return call
        try:
            composed = self._compose({"user_message": words, "function_call": {"name": name, "arguments": arguments}})
        except StoreUnavailableError as error:
            return unavailable_store(name, error)
        if composed.status == "completed" and len(composed.calls) == 1:
            return composed.calls[0].call
        if is_sound(call):
            return call
        kind, message = ask_back(composed)
        result = self.refuse(call, kind, message)
        return replace(result, payload={**result.payload, "choices": list_choices(composed)})

    def carry_out(self, call: ToolCall) -> ToolResult:
        if call.tool_name not in own_tools():
            return self._executor.execute(call, self._origin)
        try:
            arguments = check_arguments(call.tool_name, call.parameters, own_tools())
        except BadArgumentsError as error:
            return self.refuse(call, error.kind, error.message)
        return self.own[call.tool_name](call, **arguments)

    @property
    def own(self) -> dict[str, Callable[..., ToolResult]]:
        """The door's own tools by name; each takes the call for the trail, and its checked arguments."""
        return {"decide": self._decide, "compose": self._compose_call, "confirm_call": self._confirm}

    def hold(self, call: ToolCall) -> ToolResult:
        """What a destructive call would do, with a code to confirm it where it can be done."""
        domain = find_domain_of(call.tool_name) or load_domain()
        facts = domain.catalogue.by_name[call.tool_name]
        result = self._executor.hold(call, self._origin)
        if result.error is not ErrorKind.NEEDS_CONFIRMATION:
            return result
        named = result.payload["item_id" if domain.implement else "task_id"]
        shown = Argument(facts.target, named, Provenance("store", detail="as shown"))
        exact = ToolCall(call.tool_name, (shown, *(each for each in call.arguments if each.name != facts.target)))
        try:
            mark = self._mark(domain, str(named))
            code = self.confirmations.hold(self.database, self.user.id, exact, call.parameters, mark)
        except StoreUnavailableError as error:
            return unavailable_store(call.tool_name, error)
        return replace(result, payload={**result.payload, "confirmation": code})

    def carry_out_held(self, code: str, call: ToolCall) -> ToolResult | None:
        """Carry out what was shown under this code, if it was shown for this very call. None if it was not."""
        try:
            held = self.drop_held(code)
        except StoreUnavailableError as error:
            return unavailable_store(call.tool_name, error)
        if held is None or (held.call.tool_name, held.asked) != (call.tool_name, call.parameters):
            return None
        return self._carry_out_as_shown(held)

    def drop_held(self, code: str) -> Held | None:
        """From now on nobody can confirm it. None if nobody could before."""
        return self.confirmations.take(self.database, code, self.user.id)

    def _carry_out_as_shown(self, held: Held) -> ToolResult:
        """A yes counts for what was shown. If it has changed since, it is shown and asked anew."""
        domain = find_domain_of(held.call.tool_name) or load_domain()
        try:
            now = self._mark(domain, domain.catalogue.target_of(held.call) or "")
        except StoreUnavailableError as error:
            return unavailable_store(held.call.tool_name, error)
        if not now or now == held.shown:
            return self._executor.execute(held.call, self._origin)
        again = self.hold(held.call)
        how = "Ask the user again; after a yes, call confirm_call with this confirmation."
        message = f"It has changed since it was shown. {again.error_message} {how}"
        return replace(again, payload={**again.payload, "error_message": message})

    def _mark(self, domain: Domain, named: str) -> str:
        with self.database.read() as session:
            thing = open_reach(session, self.user, self.clock, domain.name).find_by_id(named)
        return mark_of(thing) if thing else ""

    def refuse(self, call: ToolCall, kind: ErrorKind, message: str) -> ToolResult:
        return self._executor.refuse(call, self._origin, kind, message)

    def _confirm(self, call: ToolCall, confirmation: str) -> ToolResult:
        try:
            held = self.drop_held(confirmation)
        except StoreUnavailableError as error:
            return unavailable_store(call.tool_name, error)
        if held is None:
            message = "This confirmation is unknown, was used, or has expired. Nothing was done; make the call again."
            return self.refuse(ToolCall(call.tool_name), ErrorKind.BAD_CONFIRMATION, message)
        return self._carry_out_as_shown(held)

    def _decide(
        self,
        call: ToolCall,
        message: str,
        history: list[dict[str, Any]] | None = None,
        pending: object = None,
        domain: str | None = None,
    ) -> ToolResult:
        try:
            about = load_domain(domain or TASKS)
            said = read_context({"history": history or [], "pending": pending}, self.clock(), about)
        except DomainError as error:
            sentence = str(error)
            return self.refuse(call, ErrorKind.INVALID_VALUE, f"{sentence[0].upper()}{sentence[1:300]}.")
        except WireError as error:
            return self.refuse(call, ErrorKind.INVALID_VALUE, f"{str(error)[:300]}.")
        try:
            with self.database.read() as session:
                index = open_reach(session, self.user, self.clock, about.name)
                learned = read_choices(session, self.user, about.name)
                context = Context(index, self.clock(), said.history, said.pending, self.user.handle, learned=learned)
                decision = self._decider_of(about).decide(message, context)
            payload = {"status": "success", **write_decision(decision, about.catalogue)}
            kept = ("status", "action", "intent", "reason", "confidence")
            self._executor.record(call, self._origin, {name: payload[name] for name in kept})
        except StoreUnavailableError as error:
            return unavailable_store(call.tool_name, error)
        return ToolResult(call.tool_name, payload)

    def _compose_call(self, call: ToolCall, **payload: Any) -> ToolResult:
        try:
            composed = self._compose(payload)
            written = {**write_composition(composed), "outcome": composed.status, "status": "success"}
            kept = ("status", "outcome", "reason", "confidence")
            self._executor.record(call, self._origin, {name: written[name] for name in kept})
        except WireError as error:
            return self.refuse(call, ErrorKind.INVALID_VALUE, f"{str(error)[:300]}.")
        except StoreUnavailableError as error:
            return unavailable_store(call.tool_name, error)
        return ToolResult(call.tool_name, written)

    def _compose(self, payload: Mapping[str, Any]) -> Composition:
        """On this person's machines and tasks as they are, whatever the payload says exists."""
        with self.database.read() as session:
            fleet = load_fleet(session, self.user.id)
            request = read_request(payload, self.clock(), fleet)
            about = find_domain_of(request.tool_name or "")
            # A domain with a reading of its own finds its things in the fleet; beside it the tasks are in reach.
            name = TASKS if about is None or about.conduct else about.name
            index = open_reach(session, self.user, self.clock, name)
            context = Context(index, self.clock(), request.history, user=self.user.handle)
            learned = read_learned(session, self.user.id)
            return compose(replace(request, tasks=context, learned=learned, settings=self.composer))

    def _decider_of(self, domain: Domain) -> Decider:
        """The door's own decider is for the first domain; another one brings its own, or is read by its policies."""
        if domain.name == TASKS:
            return self.decider
        return domain.conduct.make_decider(self.composer) if domain.conduct else make_engine(domain=domain.name)

    @property
    def _executor(self) -> Executor:
        return Executor(self.database, self.user, self.clock)

    @property
    def _origin(self) -> Origin:
        return Origin(self.client)


def unavailable_store(tool_name: str, error: StoreUnavailableError) -> ToolResult:
    kind = ErrorKind.UNAVAILABLE
    failed = {"status": "error", "error_kind": str(kind), "error_message": str(error)}
    return ToolResult(tool_name, failed, kind)
