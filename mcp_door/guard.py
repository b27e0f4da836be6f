"""Who may come in over HTTP: the host and origin that were asked for, and the bearer token."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit

from starlette.responses import JSONResponse, Response

from db.clients.access_tokens import Holder, TokenRefusedError, check_token, note_use
from db.connection import Database
from db.failures import StoreUnavailableError
from db.tasks.service import Clock

_log = logging.getLogger(__name__)
_SCHEMES = ("http", "https")


class Hosts:
    """The names under which the door answers. A page elsewhere may bend its own name to this machine's address (DNS
    rebinding); it cannot change the Host and Origin that the browser sends."""

    def __init__(self, names: str | Iterable[str]) -> None:
        listed = names.split(",") if isinstance(names, str) else names
        self._names = frozenset(name.strip().lower() for name in listed if name.strip())

    def find_problem(self, headers: Mapping[str, str], *, own_only: bool = False) -> Response | None:
        """`own_only`: a page must be one of this very server, not of another port under the same name."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._allows(host):
            return refuse(421, "wrong_host", f"'{host[:80]}' is not among ALLOWED_HOSTS.")
        if origin is None:
            return None
        asking = _split(origin)
        if asking is None or not self._allows(asking) or (own_only and asking.lower() != host.strip().lower()):
            return refuse(403, "foreign_origin", f"Pages of '{origin[:80]}' may not use this server (ALLOWED_HOSTS).")
        return None

    def _allows(self, host: str) -> bool:
        host = host.strip().lower()
        name, _, port = host.rpartition(":")
        bare = name if name and port.isdigit() else host
        return bool(host) and (host in self._names or bare in self._names)


def _split(origin: str) -> str | None:
    """The host of an origin; None for "null" and whatever else is no address of a page."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc if parts.scheme in _SCHEMES else None


def check_bearer(load_database: Callable[[], Database], clock: Clock, header: str) -> Holder:
    """Whom the token of an Authorization header speaks for. Blocks."""
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise TokenRefusedError("Send a token as 'Authorization: Bearer TOKEN'. Make one on the Settings page.")
    database, now = load_database(), clock()
    with database.read() as session:
        holder = check_token(session, token.strip(), now=now)
    if not holder.used_recently:
        try:
            with database.write() as session:
                note_use(session, holder.token_id, now=now)
        except StoreUnavailableError:
            _log.warning("The last use of token %s could not be noted", holder.token_id)
    return holder


def refuse(status: int, error: str, description: str) -> Response:
    headers = {}
    if status == 401:
        headers["WWW-Authenticate"] = f'Bearer error="{error}", error_description="{description}"'.encode(
            "ascii", "replace"
        ).decode()
    return JSONResponse({"error": error, "error_description": description}, status_code=status, headers=headers)
