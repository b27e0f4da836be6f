"""Every setting of the workbench, read once from the environment and from `.env`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).parent


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_file=ROOT / ".env", env_ignore_empty=True, extra="ignore", frozen=True)

    database_url: str = "sqlite:///data/twolane.db"
    """Where the tasks live: a file (a relative path counts from the project's folder), or
    `postgresql://USER:PASSWORD@HOST/DATABASE`."""

    database_patience_seconds: float = Field(default=30.0, gt=0)
    """How long a change waits for other writers before it gives up with a clear error."""

    database_connections: int = Field(default=40, ge=2)
    """How many connections to a PostgreSQL server this process opens at the most; a turn that waits for an LLM holds
    one."""

    store_look_seconds: float = Field(default=15.0, gt=0)
    """How often the server finds out whether the store can be used: what `/health` and `/ready` tell."""

    default_user: str = "maya"
    """The handle of the person whom a new browser session starts as."""

    allow_anyone_without_login: bool = False
    """Whether the server may listen beyond this machine though no login is configured: whoever reaches it is then
    everybody, and reads and changes all there is."""

    require_login: bool = False
    """Whether the server refuses to start without a login: for one behind a proxy, where a slip in secrets.toml would
    otherwise let everybody in."""

    login_role_claim: str = "groups"
    """The claim of a login whose values `LOGIN_MAINTAINERS` and its like name."""

    login_maintainers: str = ""
    """Who is a maintainer, separated by commas: values of the claim, verified e-mail addresses, or subjects."""

    login_members: str = ""
    """Who is a member; named the same way."""

    login_viewers: str = ""
    """Who is a viewer; named the same way."""

    login_default_role: Literal["nobody", "viewer", "member", "maintainer"] = "member"
    """What everybody else is who can log in; nobody: they are turned away."""

    demo_users: bool = True
    """Whether an empty database starts with the two demo users and their tasks."""

    refresh_seconds: float = Field(default=2.0, ge=0.5)
    """How often an open page looks for changes made elsewhere."""

    enable_intelligent_composition: bool = True
    """Whether incomplete calls are completed or asked back; off: they pass through as they came."""

    intelligent_composition_confidence_threshold: float = Field(default=0.9, ge=0, le=1)
    """From this confidence on, the composer completes a call by itself; below it, it offers or asks."""

    intelligent_composition_max_suggestions: int = Field(default=5, ge=1, le=20)
    """How many choices the composer offers at the most."""

    llm_endpoint: Literal["auto", "embedded", "openai", "off"] = "auto"
    """Which model answers in the LLM lane. auto: the embedded one, unless a key or a base URL is set."""

    openai_api_key: SecretStr = SecretStr("")
    """The key for the endpoint. Masked wherever it could be printed."""

    openai_base_url: SecretStr = SecretStr("")
    """Any OpenAI-compatible address (Ollama, vLLM, LM Studio, llama.cpp); empty: OpenAI's own. Masked where it could be
    printed: some have a password in them."""

    openai_model: str = "gpt-4.1-mini"
    """The model to ask for at the endpoint."""

    llm_timeout_seconds: float = Field(default=30.0, gt=0)
    """How long an answer of the LLM may take, retries included."""

    llm_wait_seconds: float = Field(default=5.0, ge=0)
    """How long a turn waits until the model has answered others; then the engine decides alone. Who lets the LLM drive
    waits as long as for an answer."""

    model_folder: str = "~/.cache/twolane"
    """Where the embedded model's weights are kept."""

    embedded_adapter: bool = True
    """Whether the embedded model has the adapter that was trained for our tools; without it: the base model."""

    embedded_merged: bool = True
    """Whether the adapter is merged into the weights once, which answers quicker; otherwise both are loaded."""

    embedded_shared: bool = True
    """Whether all processes of this user on this machine use one embedded model; otherwise each has its own."""

    allowed_hosts: str = Field(
        default="localhost,127.0.0.1,[::1]", validation_alias=AliasChoices("allowed_hosts", "mcp_allowed_hosts")
    )
    """Under which names the workbench and `/mcp` answer; `name:port` allows one port only. Its earlier name,
    `MCP_ALLOWED_HOSTS`, still works."""

    bulk_folder: str = "data/bulk"
    """Where bulk runs are kept (`runs`), and the files that pages offer for them (`logs`). A relative path counts from
    the project's folder."""

    keep_turns_days: int | None = Field(default=None, ge=1)
    """After so many days a turn loses its words, or goes (`OLD_TURNS`); None: turns are kept for ever."""

    old_turns: Literal["strip", "remove"] = "strip"
    """What happens to a turn after `KEEP_TURNS_DAYS`: strip its words and keep its figures, or remove it."""

    log_format: Literal["text", "json"] = "text"
    """json: one object a line on standard error, for whatever collects the logs."""

    metrics_token: SecretStr = SecretStr("")
    """What `/metrics` asks for as a bearer token; empty: whoever reaches the port may read the figures."""

    mcp_question_seconds: float = Field(default=120.0, gt=0)
    """How long a question to an MCP client waits for its answer, and a confirmation can be used."""

    @property
    def composition(self) -> tuple[bool, float, int]:
        """The composer's three settings, in the order in which `ComposerSettings` takes them."""
        return (
            self.enable_intelligent_composition,
            self.intelligent_composition_confidence_threshold,
            self.intelligent_composition_max_suggestions,
        )


@cache
def load_settings() -> Settings:
    return Settings()


def resolve_database_url(url: str) -> str:
    """Make a relative SQLite path absolute, so that every start finds the same file whatever the folder."""
    prefix = "sqlite:///"
    if not url.startswith(prefix) or url.startswith("sqlite:////") or ":memory:" in url:
        return url
    path = Path(url.removeprefix(prefix))
    return prefix + str(path if path.is_absolute() else ROOT / path)


def without_password(url: str) -> str:
    """An address of a database as it may be shown."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)


def prices_path() -> Path:
    """The price table that people edit stands beside the database file, for all sessions; in `data` where the store is
    on a server."""
    url = resolve_database_url(load_settings().database_url)
    folder = Path(url.removeprefix("sqlite:///")).parent if url.startswith("sqlite:///") else ROOT / "data"
    return folder / "prices.yaml"


def bulk_runs() -> Path:
    return ROOT / load_settings().bulk_folder / "runs"


def bulk_logs() -> Path:
    return ROOT / load_settings().bulk_folder / "logs"
