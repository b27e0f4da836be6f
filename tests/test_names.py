"""No room but domains/ names a tool, an intent, a target argument or a language: a domain brings them.

And one name is one thing: no two classes are called alike.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from domains.loading import list_domains, load_domain
from engine.domain import UNKNOWN

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "assistant", "evals", "ui", "mcp_door", "pages", "llm")

ICONS = re.compile(r":material/\w+:")
"""An icon may be called like a tool."""


@cache
def names_of_domains() -> re.Pattern[str]:
    """What only a domain may say: its tools, its intents but that of nothing, and the arguments that name a target;
    also within another name, as in `which_update_task`."""
    tools = [facts for name in list_domains() for facts in load_domain(name).catalogue.tools]
    said = {word for facts in tools for word in (facts.name, facts.intent, facts.target)} - {"", UNKNOWN}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(sorted(said))})(?![^\W_])")


@cache
def languages_of_domains() -> frozenset[str]:
    return frozenset(language for name in list_domains() for language in load_domain(name).languages)


@cache  # most names are in many files
def named_in(text: str) -> tuple[str, ...]:
    """A language counts as a whole: "it" inside a sentence is a word."""
    return (text,) if text in languages_of_domains() else tuple(names_of_domains().findall(ICONS.sub("", text)))


class Source:
    """What the tests here ask of a Python file, parsed once for all of them: to keep trees would fill memory."""

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self.named = [(number, name) for number, text in _said_in_python(tree) for name in named_in(text)]
        self.defined = tuple(_defined_in(tree))


@cache
def source_of(path: Path) -> Source:
    return Source(path.read_text(encoding="utf-8"))


def _said_in_python(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Strings that are no docstring (of a module, class, function or field), and every name, with their lines."""
    docstrings: set[int] = set()
    for node in ast.walk(tree):  # a statement comes before what it is made of
        if isinstance(node, ast.Expr):
            docstrings.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value
        elif isinstance(node, ast.Attribute) and node.attr not in languages_of_domains():
            yield node.lineno, node.attr
        elif isinstance(node, ast.keyword) and node.arg and node.arg not in languages_of_domains():
            yield node.value.lineno, node.arg
        elif isinstance(node, ast.arg | ast.Name | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.alias):
            yield node.lineno, str(next(getattr(node, name) for name in ("arg", "id", "name") if hasattr(node, name)))


_IN_A_TEMPLATE = re.compile(r"{#.*?#}", re.DOTALL)
_QUOTED = re.compile(r"""(["'])(.*?)\1""")


def _said_in_template(source: str) -> Iterator[tuple[int, str]]:
    """Whole lines for names, and what stands in quotes for languages; comments are like docstrings."""
    for number, line in enumerate(_IN_A_TEMPLATE.sub("", source).splitlines(), start=1):
        yield number, line
        yield from ((number, found[2]) for found in _QUOTED.finditer(line) if found[2] in languages_of_domains())


def find_names(path: Path) -> list[str]:
    if path.suffix == ".py":
        named = source_of(path).named
    else:
        said = _said_in_template(path.read_text(encoding="utf-8"))
        named = [(number, name) for number, text in said for name in named_in(text)]
    return [f"line {number}: {name}" for number, name in named]


def files() -> list[Path]:
    return sorted(path for room in ROOMS for ending in ("py", "j2") for path in (ROOT / room).rglob(f"*.{ending}"))


def test_no_code_of_a_domain_names_a_language() -> None:
    paths = [*(ROOT / "domains").rglob("*.py")]
    assert len(paths) > 20
    named = {
        f"{_shown(path)}, line {number}: {name}"
        for path in paths
        for number, name in source_of(path).named
        if name in languages_of_domains()
    }
    assert named == set()


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_data_of_a_room_names_a_tool_an_intent_or_a_target() -> None:
    """`llm/` shows its models examples, in files for each domain that they were trained on."""
    endings = ("yaml", "yml", "json", "txt", "toml", "js", "css")
    paths = sorted(
        path for room in ROOMS if room != "llm" for end in endings for path in (ROOT / room).rglob(f"*.{end}")
    )
    assert paths
    found = {_shown(path): names for path in paths if (names := named_in(path.read_text(encoding="utf-8")))}
    assert found == {}


@pytest.mark.parametrize("room", ROOMS)
def test_no_file_names_a_tool_an_intent_a_target_or_a_language(room: str) -> None:
    """A failure names the files with their lines. There is no list of exceptions."""
    own = [path for path in files() if path.is_relative_to(ROOT / room)]
    assert own
    found = {_shown(path): names for path in own if (names := find_names(path))}
    assert found == {}


def test_no_table_of_the_engine_names_any_of_it_either() -> None:
    tables = sorted(path for ending in ("json", "yaml", "txt") for path in (ROOT / "engine").rglob(f"*.{ending}"))
    assert tables
    assert {_shown(path): names_of_domains().findall(path.read_text(encoding="utf-8")) for path in tables} == {
        _shown(path): [] for path in tables
    }


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('x = "add_task"', ["line 1: add_task"]),
        ('x = f"call {y} or delete_task."', ["line 1: delete_task"]),
        ("tools.list_tasks()", ["line 1: list_tasks"]),
        ("make(task_identifier=1)", ["line 1: task_identifier"]),
        ('x: Literal["en", "it"]', ["line 1: en", "line 1: it"]),
        ('x = "Say it in en or it"', []),
        ('"""add_task"""\nclass A:\n    b: str\n    """Like device_id."""', []),
        ('icon = ":material/add_task:"', []),
        ('x = "add_tasks", "unknown", "myadd_task"', []),
        ('say("which_update_task")', ["line 1: update_task"]),
        ("def add_task(task_identifier): pass", ["line 1: add_task", "line 1: task_identifier"]),
        ("from tasks import list_tasks as listed", ["line 1: list_tasks"]),
    ],
)
def test_what_counts_as_a_name(tmp_path: Path, source: str, found: list[str]) -> None:
    path = tmp_path / "some.py"
    path.write_text(source, encoding="utf-8")
    assert find_names(path) == found


def test_templates_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "some.html.j2"
    path.write_text("{# add_task #}\n<b>{{ call.task_identifier }}</b> it is\n{% if l == 'it' %}", encoding="utf-8")
    assert find_names(path) == ["line 2: task_identifier", "line 3: it"]


EVERY_ROOM = ("engine", "domains", "db", "llm", "evals", "assistant", "mcp_door", "ui")
SHARED_NAMES = frozenset({"Lexicon", "Mention", "Scene"})
"""What the common reading of the engine and that of the machines each have of their own."""


def _defined_in(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Public names of types that a module defines: classes (True) and aliases, which are Names In This Case."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, True
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [each.id for each in targets if isinstance(each, ast.Name)]
            yield from ((name, False) for name in names if name[0].isupper() and not name.isupper())


def test_a_class_has_its_name_for_itself() -> None:
    """An alias of a plain type may be called alike in two files (`Kind`, `Status`), but not like a class."""
    places: dict[str, list[str]] = {}
    classes: set[str] = set()
    for path in sorted(path for room in EVERY_ROOM for path in (ROOT / room).rglob("*.py")):
        for name, is_class in source_of(path).defined:
            places.setdefault(name, []).append(_shown(path))
            classes |= {name} if is_class else set()
    shared = {name: found for name, found in places.items() if name in classes and len(found) > 1}
    assert shared.keys() == SHARED_NAMES, {name: found for name, found in shared.items() if name not in SHARED_NAMES}


def test_only_the_mcp_room_speaks_of_doors() -> None:
    outside = (path for room in EVERY_ROOM if room != "mcp_door" for path in (ROOT / room).rglob("*.py"))
    named = {name: _shown(path) for path in outside for name, _ in source_of(path).defined}
    assert {name for name in named if "door" in name.lower()} == {"DoorKind"}
