"""How a conversation is written down. What `expect` does not name must not happen."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from assistant.play.start import DueText, NoteText, Start, StartingTask, Strict
from domains.loading import load_domain
from engine.values import Priority, Status

Kind = Literal[
    "add", "going_on", "correction", "undo", "list", "question", "statement", "several", "answer", "note", "typo",
    "delete", "complete", "change", "story", "chat",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
LANGUAGES = tuple(load_domain().languages)

Text = Annotated[str, StringConstraints(min_length=1)]


def _as_forms(value: Any) -> Any:
    return (value,) if isinstance(value, str | int | float) and not isinstance(value, bool) else value


def _as_text(value: Any) -> Any:
    """A number that somebody did not put in quotes."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_Form = Annotated[Text, BeforeValidator(_as_text)]
Forms = Annotated[tuple[_Form, ...], BeforeValidator(_as_forms), Field(min_length=1)]
"""One text, or a list of texts of which any is right."""


class _SaidOfTask(Strict):
    """What may be said of a task beside its title."""

    due_date: DueText | None = None
    priority: Priority | None = None
    description: NoteText | None = None
    status: Status | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """What is named, also where it must be none; not which task it is said of."""
        names = [name for name in type(self).model_fields if name in self.model_fields_set and name != "task"]
        return {name: getattr(self, name) for name in names}


class AddedTask(_SaidOfTask):
    title: Forms


class ChangedTask(_SaidOfTask):
    task: Forms
    title: Forms | None = None

    @model_validator(mode="after")
    def _says_something(self) -> ChangedTask:
        if not self.fields:
            raise ValueError("set names no field")
        return self


class ExpectedOutcome(Strict):
    add: tuple[AddedTask, ...] = ()
    set: tuple[ChangedTask, ...] = ()
    delete: tuple[Forms, ...] = ()
    ask_delete: tuple[Forms, ...] = ()
    ask: Literal[True] | None = None
    show: tuple[Forms, ...] | None = None
    tell: tuple[Forms, ...] = ()
    nothing: Literal[True] | None = None

    @property
    def changes(self) -> bool:
        return bool(self.add or self.set or self.delete)

    @model_validator(mode="after")
    def _is_one(self) -> ExpectedOutcome:
        named = {name for name in self.model_fields_set if name in ExpectedOutcome.model_fields}
        if not named:
            raise ValueError("nothing is expected; say `nothing: true` where nothing is to be done")
        if self.nothing and named - {"nothing", "tell"}:
            raise ValueError("nothing cannot stand beside something")
        return self


class Expectation(ExpectedOutcome):
    others: tuple[ExpectedOutcome, ...] = Field(default=(), alias="or")

    @property
    def outcomes(self) -> tuple[ExpectedOutcome, ...]:
        return (self, *self.others)


class WrittenTurn(Strict):
    say: Text
    kind: Kind
    expect: Expectation


def _no_tasks(value: Any) -> Any:
    return () if value is None else value


def _known_language(language: str) -> str:
    if language not in LANGUAGES:
        raise ValueError(f"must be one of {', '.join(LANGUAGES)}, not {language!r}")
    return language


class WrittenConversation(Strict):
    id: Text
    lang: Annotated[str, AfterValidator(_known_language)]
    who: str
    now: Annotated[str, AfterValidator(lambda text: Start.model_validate({"now": text}) and text)]
    tasks: Annotated[tuple[StartingTask, ...], BeforeValidator(_no_tasks)]
    turns: tuple[WrittenTurn, ...] = Field(min_length=1)

    def start(self, driver: str) -> Start:
        return Start.model_validate({"now": self.now, "lang": self.lang, "driver": driver, "tasks": self.tasks})
