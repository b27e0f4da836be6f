"""The rooms and the directions in which they may import each other (see CONTRIBUTING.md)."""

from __future__ import annotations

import ast
from collections.abc import Set
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

ROOMS = {
    "engine", "domains", "telemetry", "llm", "db", "evals", "assistant", "mcp_door", "mcp_server", "settings", "ui",
    "pages", "app",
}  # fmt: skip
MAY_IMPORT: dict[str, set[str]] = {
    "settings": set(),
    "engine": set(),
    "telemetry": set(),
    "domains": {"engine"},
    "llm": {"engine", "domains", "telemetry", "settings"},
    "db": {"engine", "domains", "telemetry", "settings"},
    "assistant": {"engine", "domains", "telemetry", "llm", "db", "settings"},
    "evals": {"engine", "domains", "telemetry", "llm", "db", "assistant", "settings"},
    "mcp_door": {"engine", "domains", "telemetry", "db", "settings"},
    "mcp_server": {"engine", "domains", "telemetry", "db", "mcp_door", "settings"},
    "ui": {"engine", "domains", "telemetry", "llm", "db", "assistant", "evals", "mcp_door", "settings"},
    "pages": {"engine", "domains", "telemetry", "llm", "db", "assistant", "evals", "mcp_door", "settings", "ui"},
    "app": {"engine", "domains", "telemetry", "llm", "db", "assistant", "evals", "mcp_door", "settings", "ui"},
}
EDGES = {ROOT / "engine" / "__main__.py"}
"""A command is an edge: it alone in its room knows which domains there are."""
ONLY_IN: dict[str, set[str]] = {
    "streamlit": {"ui", "pages", "app"},
    "sqlmodel": {"db"},
    "sqlalchemy": {"db"},
    "alembic": {"db"},
    "psycopg": {"db"},
    "openai": {"llm"},
    "distributed": {"evals"},
    "duckdb": {"evals"},
    "pyarrow": {"evals"},
    "opentelemetry": {"telemetry"},
    "prometheus_client": {"telemetry"},
    "mcp": {"mcp_door", "mcp_server"},
    "mcp_types": {"mcp_door"},
}


PAGE_FOLDERS = {path.stem for path in (ROOT / "pages").glob("*.py")}
"""Each page has a folder of its name under ui/; what stands beside these is shared."""


def source_files() -> list[Path]:
    folders = [path for room in sorted(ROOMS) for path in (ROOT / room).rglob("*.py")]
    return folders + [ROOT / f"{room}.py" for room in sorted(ROOMS) if (ROOT / f"{room}.py").exists()]


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def imports_of(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Wherever they stand in the file. Several tests ask for those of one file."""
    found: list[ast.Import | ast.ImportFrom] = []
    left: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while left:
        node = left.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.append(node)
        elif not isinstance(node, ast.expr):  # no import stands in an expression, which most of a file is
            left += ast.iter_child_nodes(node)
    return tuple(found)


def imported_names(path: Path) -> set[str]:
    names = set()
    for node in imports_of(path):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def files_of(room: str) -> list[Path]:
    files = [path for path in source_files() if room_of(path) == room]
    assert files
    return files


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_imports_point_one_way(room: str) -> None:
    may = {room} | MAY_IMPORT[room]
    foreign = {
        str(path.relative_to(ROOT)): (imported_names(path) & ROOMS) - may - ({"domains"} if path in EDGES else set())
        for path in files_of(room)
    }
    assert {path: names for path, names in foreign.items() if names} == {}, f"{room} must not import these"


@cache
def ui_files() -> list[Path]:
    return sorted((ROOT / "ui").rglob("*.py"))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_modules(path: Path, known: Set[str]) -> set[str]:
    """Of the modules known, those that a file imports; `from ui.chat import actions` names `ui.chat.actions`."""
    named = set()
    for node in imports_of(path):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif node.level == 0 and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & known
            named |= inside or {node.module}
    return named & known


def test_page_folders_import_only_themselves_and_what_is_shared() -> None:
    known = {module_name(each) for each in ui_files()}
    foreign = {}
    for path in ui_files():
        folders = {name.split(".")[1] for name in imported_modules(path, known) if "." in name}
        foreign[str(path.relative_to(ROOT))] = (folders & PAGE_FOLDERS) - {path.relative_to(ROOT / "ui").parts[0]}
    assert len(foreign) > len(PAGE_FOLDERS)
    assert {path: names for path, names in foreign.items() if names} == {}, "a page's folder must not import another's"


def test_every_page_has_a_folder_of_its_own() -> None:
    assert {name for name in PAGE_FOLDERS if not (ROOT / "ui" / name).is_dir()} == set()


def test_a_page_imports_its_own_folder_and_what_is_shared() -> None:
    known = {module_name(each) for each in ui_files()}
    for page in (ROOT / "pages").glob("*.py"):
        folders = {name.split(".")[1] for name in imported_modules(page, known) if "." in name}
        assert (folders & PAGE_FOLDERS) == {page.stem}, page.name


@pytest.mark.parametrize("room", sorted(room for room in ROOMS if (ROOT / room).is_dir()))
def test_there_are_no_circles_inside_a_room(room: str) -> None:
    names = {module_name(path): path for path in sorted((ROOT / room).rglob("*.py"))}
    sorter = TopologicalSorter({name: imported_modules(path, names.keys()) for name, path in names.items()})
    sorter.prepare()  # raises CycleError, which names the circle


MOST_SIDE_BY_SIDE = 25
"""Files of one folder: whoever is new finds the right one by its name. What grows beyond gets folders of its own."""


def test_the_folders_of_the_engine_stay_clear() -> None:
    folders = [ROOT / "engine", *(path for path in (ROOT / "engine").rglob("*") if path.is_dir())]
    files = {str(folder.relative_to(ROOT)): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: count for name, count in files.items() if count > MOST_SIDE_BY_SIDE} == {}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_each_framework_stays_in_its_room(room: str) -> None:
    elsewhere = {name for name, rooms in ONLY_IN.items() if room not in rooms}
    misplaced = {str(path.relative_to(ROOT)): imported_names(path) & elsewhere for path in files_of(room)}
    assert {path: names for path, names in misplaced.items() if names} == {}, f"{room} must not import these"


def test_session_state_is_named_in_one_folder() -> None:
    named_in = {path.parent for path in source_files() if "session_state" in path.read_text(encoding="utf-8")}
    assert named_in == {ROOT / "ui" / "state"}


DIALECTS = {
    ("fts5", "PRAGMA", "INSERT OR IGNORE", "sqlite3"): {"sqlite.py", "sqlite_words.py"},
    ("psycopg", "pg_advisory", "LATERAL", "unnest("): {"postgres.py", "postgres_words.py"},
}


@pytest.mark.parametrize("words", DIALECTS)
def test_sql_of_one_dialect_stands_in_its_files(words: tuple[str, ...]) -> None:
    named_in = {path.name for path in source_files() if any(word in path.read_text(encoding="utf-8") for word in words)}
    assert named_in == DIALECTS[words]
