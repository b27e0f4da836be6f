"""Gets axe-core, which finds what keeps people from using a page, from npm into an ignored folder."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.npm_folder import NpmFolder

AXE = NpmFolder(Path(__file__).parent / "axe", "axe-core")


def find_axe() -> Path | None:
    return AXE.find("axe-core", "axe.min.js")


def main() -> None:
    if not find_axe() and not (AXE.install() and find_axe()):
        sys.exit(AXE.how_to_install())


if __name__ == "__main__":
    main()
