"""A version as files to commit: a zip with the language folder in it, and back."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from engine.editing.texts import Texts, is_policy_file
from engine.editing.yaml_edits import EditError
from engine.policy.yaml_text import MOST_BYTES

ABOUT = "version.json"
"""Who saved it, when, why, and what it was known to do."""
_MOST_FILES = 200
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip knows: the same files give the same bytes."""


def write_archive(domain: str, language: str, texts: Texts, about: Mapping[str, Any]) -> bytes:
    """`<domain>/<language>/…` as in the project."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        head = {"domain": domain, "language": language, **about}
        archive.writestr(
            zipfile.ZipInfo(ABOUT, _FIRST_DAY), json.dumps(head, ensure_ascii=False, indent=1, default=str)
        )
        for name in sorted(texts):
            archive.writestr(zipfile.ZipInfo(f"{domain}/{language}/{name}", _FIRST_DAY), texts[name])
    return whole.getvalue()


def read_archive(content: bytes) -> tuple[str, str, dict[str, str], dict[str, Any]]:
    """The domain, the language, the texts, and what is said about them. EditError says what is wrong with it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _read(archive)
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, json.JSONDecodeError, RuntimeError) as error:
        raise EditError(f"this is no exported version: {error}") from None


def _read(archive: zipfile.ZipFile) -> tuple[str, str, dict[str, str], dict[str, Any]]:
    entries = archive.infolist()
    if len(entries) > _MOST_FILES or any(entry.file_size > MOST_BYTES for entry in entries):
        raise EditError("it has too many files, or one that is too large")
    about = json.loads(archive.read(ABOUT))
    if not isinstance(about, dict):
        raise EditError(f"{ABOUT} must be an object")
    domain, language = str(about.pop("domain", "")), str(about.pop("language", ""))
    begin, texts = f"{domain}/{language}/", {}
    for entry in entries:
        name = entry.filename.removeprefix(begin)
        if entry.filename == ABOUT or entry.is_dir():
            continue
        if not entry.filename.startswith(begin) or not is_policy_file(name):
            raise EditError(f"a language folder has no file {entry.filename!r}")
        texts[name] = archive.read(entry).decode("utf-8-sig")
    return domain, language, texts, about
