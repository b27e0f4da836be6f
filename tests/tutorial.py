"""The files of the tutorial in docs/domains.md, as somebody who follows it writes them."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "domains.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", re.DOTALL)


def read_files() -> dict[str, str]:
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


def write_files(folder: Path) -> Path:
    for name, text in read_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
