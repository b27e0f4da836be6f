"""Whether the store changed as expected: each change is explained by an expectation, or it is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.play.answer import PlayedChange
from db.contents import KeptThing
from evals.conversations.form import AddedTask, ChangedTask, ExpectedOutcome, Forms
from evals.conversations.titles import Names


@dataclass
class ChangeMatch:
    """What remains after each expectation has taken the change that it is about."""

    faults: list[str] = field(default_factory=list)
    unexplained: list[PlayedChange] = field(default_factory=list)
    called: dict[str, Forms] = field(default_factory=dict)
    """Id -> further names that were accepted for it."""

    @property
    def right(self) -> bool:
        return not self.faults and not self.unexplained


def match_changes(
    outcome: ExpectedOutcome,
    before: Mapping[str, KeptThing],
    after: Mapping[str, KeptThing],
    changes: tuple[PlayedChange, ...],
    names: Names,
) -> ChangeMatch:
    matcher = _Matcher(before, after, {str(change.task["id"]): change for change in changes}, names)
    for added in outcome.add:
        matcher.take_added(added)
    for changed in outcome.set:
        matcher.take_changed(changed)
    for forms in outcome.delete:
        matcher.take_deleted(forms)
    match = matcher.match
    match.unexplained = list(matcher.left.values())
    return match


class _Matcher:
    def __init__(
        self,
        before: Mapping[str, KeptThing],
        after: Mapping[str, KeptThing],
        left: dict[str, PlayedChange],
        names: Names,
    ) -> None:
        self._before, self._after, self.left, self._names = before, after, left, names
        self.match = ChangeMatch()

    def take_added(self, added: AddedTask) -> None:
        new = [each for each, change in self.left.items() if change.op == "add"]
        differing = {each: self._differing(added.fields, self._after[each], {}) for each in new}
        found = min(new, key=lambda each: len(differing[each]), default=None)
        titled = [each for each in new if "title" not in {name for name, _ in differing[each]}]
        if found is not None and not differing[found]:
            self.left.pop(found)
            self.match.called[found] = added.title
        elif titled:
            self.left.pop(titled[0])
            self.match.faults.append(_tell(added.title[0], differing[titled[0]]))
        else:
            self.match.faults.append(f"'{added.title[0]}' was not added")

    def take_changed(self, changed: ChangedTask) -> None:
        candidates = [each for each in self._names.find(changed.task, self._before) if each not in self.match.called]
        # Of two with the same title, the one that was changed is meant.
        candidates.sort(key=lambda each: each not in self.left)
        faults = [f"there is no '{changed.task[0]}'"]
        for each in candidates:
            if each not in self._after:
                faults = [f"'{changed.task[0]}' is gone"]
                continue
            differing = self._differing(changed.fields, self._after[each], self._before[each])
            change = self.left.get(each)
            more = [name for name in (change.after if change else ()) if name not in changed.fields]
            differing += [(name, self._after[each].get(name)) for name in more]
            if not differing:
                self.left.pop(each, None)
                self.match.called[each] = changed.title or ()
                return
            faults = [_tell(changed.task[0], differing)]
        self.match.faults += faults
        if candidates:
            self._forget(candidates[0])

    def take_deleted(self, forms: Forms) -> None:
        candidates = self._names.find(forms, self._before)
        gone = [each for each in candidates if each in self.left and self.left[each].op == "delete"]
        if gone:
            self.left.pop(gone[0])
        else:
            self.match.faults.append(f"'{forms[0]}' was not deleted")

    def _forget(self, task_id: str) -> None:
        """A change that is a fault already need not be told again."""
        if task_id in self.left and self.left[task_id].op == "set":
            self.left.pop(task_id)

    def _differing(self, expected: Mapping[str, Any], got: KeptThing, was: KeptThing) -> list[tuple[str, Any]]:
        return [(name, got.get(name)) for name, value in expected.items() if not self._same(name, value, got, was)]

    def _same(self, name: str, value: Any, got: KeptThing, was: KeptThing) -> bool:
        there = got.get(name)
        if name == "title":
            return self._names.form(str(there)) in {self._names.form(form) for form in value}
        if name == "description":
            form, note = self._names.form(str(there or "")), str(value or "")
            # A note may also be put behind the one that is there.
            return form in (self._names.form(note), self._names.form(f"{was.get(name) or ''} {note}"))
        return bool(there == value)


def _tell(title: str, differing: list[tuple[str, Any]]) -> str:
    return f"'{title}' has " + ", ".join(f"{name} {value!r}" for name, value in differing)
