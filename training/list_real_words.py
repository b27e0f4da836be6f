"""The words of a language that nobody misspelt: `domains/languages/<language>/real_words.txt`, from the word counts of
the package pyspellchecker (MIT), which need not be installed: its wheel is a zip file.

pip download --no-deps pyspellchecker
python -m training.list_real_words pyspellchecker-*.whl
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import zipfile
from pathlib import Path

from domains.loading import LANGUAGES

_FEWEST = 200
"""Times that a word was counted: what is rarer is as likely a slip."""
_LENGTHS = range(4, 15)
_IN_A_LINE = 12


def list_words(counts: dict[str, int]) -> list[str]:
    return sorted(
        word for word, count in counts.items() if count >= _FEWEST and word.isalpha() and len(word) in _LENGTHS
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    with zipfile.ZipFile(parser.parse_args().wheel) as wheel:
        for folder in sorted(path for path in LANGUAGES.iterdir() if path.is_dir()):
            name = f"spellchecker/resources/{folder.name}.json.gz"
            if name not in wheel.namelist():
                continue
            words = list_words(json.loads(gzip.decompress(wheel.read(name))))
            lines = (" ".join(words[start : start + _IN_A_LINE]) for start in range(0, len(words), _IN_A_LINE))
            (folder / "real_words.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            sys.stdout.write(f"{folder.name}: {len(words):,} words\n")


if __name__ == "__main__":
    main()
