"""The machines' languages are folders like those of any other domain: checked on load, and one more needs no code."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from domains.loading import LANGUAGES, find_folder, load_domain
from domains.machines.tools import CATALOGUE
from engine.policy.loading import PolicyError, load_policy_folder

ROOT = Path(__file__).parent.parent.parent.parent
GERMAN = {
    "language.yaml": "name: German\nlike: en\nsmall_words: der die das den am im und ist nicht bitte ein\n",
    "words.txt": "[object_light]\nlicht\n\n[kind_fridge]\nkühlschrank\n\n[hint_links]\ndas\nam\nim\nvom\n\n"
    "[hint_negations]\nnicht\n",
    "intents/run_command.yaml": 'turn_on:\n  patterns: ["schalte {part} ein", "(schalte|mach) ein"]\n',
    "replies.yaml": "label_action_turn_on: einschalten\nlabel_object_light: Licht\n"
    'compose_negated: "Gut, dann bleibt es so."\n',
}
MACHINES = [
    {"id": "a", "name": "Frigo Cucina", "commands": ["turn_on_light", "turn_off_light"]},
    {"id": "b", "name": "Forno", "commands": ["turn_on_light"]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(find_folder("machines") / "en", tmp_path / "en")


def problems(folder: Path) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load_policy_folder(folder, CATALOGUE, (LANGUAGES / "en",))
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("name", "before", "after", "says"),
    [
        ("words.txt", "[object_light]", "[object_lihgt]", "rules.yaml has no 'lihgt' under objects"),
        ("words.txt", "[unit_percent]", "[unit_permille]", "rules.yaml has no 'permille' under unit_signs"),
        ("words.txt", "[answer_yes_head]", "[answer_yse_head]", "the class 'answer_yes_head' is missing"),
        ("words.txt", "[answer_yes_head]", "[answer_yse_head]", "nothing uses the class 'answer_yse_head'"),
        ("words.txt", "\nlamp\n", "\nlight\n", "'light' stands twice in the class 'object_light'"),
        ("replies.yaml", "label_detail:", "label_detial:", "the reply 'label_detail' is missing"),
        ("replies.yaml", "label_detail:", "label_detial:", "nobody says the reply 'label_detial'"),
        ("replies.yaml", "{machine}: {what}", "{machine}", "the reply 'label_on_machine' lacks its {what}"),
        ("replies.yaml", "light switched on", "{light} on", "the reply 'told_did_turn_on_light' has no {light}"),
        ("intents/run_command.yaml", "turn_off:\n", "turn_of:\n", "rules.yaml has no action 'turn_of'"),
        ("intents/run_command.yaml", "start.defrost:", "start.frost:", "rules.yaml has no object 'frost'"),
        ("intents/run_command.yaml", '"turn {part} off"', '"turn {part}"', "a part stands between a verb and"),
        ("intents/run_command.yaml", '"turn {part} off"', '"<object_light>"', "machines are asked for in words"),
        ("language.yaml", "act: 0.9", "atc: 0.9", "unknown threshold 'atc'"),
    ],
)
def test_a_mistake_is_told_with_its_file(folder: Path, name: str, before: str, after: str, says: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    told = [problem for problem in problems(folder) if says in problem]
    assert told
    assert told[0].startswith(f"en/{name}, line ")


def test_the_line_is_that_of_the_word(folder: Path) -> None:
    path = folder / "words.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    place = lines.index("[metric_humidity]") + 1
    lines.insert(place + 1, lines[place])
    path.write_text("\n".join(lines), encoding="utf-8")
    assert problems(folder) == [
        f"en/words.txt, line {place + 2}: 'humidity' stands twice in the class 'metric_humidity'"
    ]


def test_the_languages_are_the_folders() -> None:
    folders = {path.parent.name for path in find_folder("machines").glob("*/language.yaml")}
    assert set(load_domain("machines").languages) == folders


def test_a_third_language_is_one_folder_with_a_few_phrases(tmp_path: Path) -> None:
    for room in ("engine", "domains"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in GERMAN.items():
        path = tmp_path / "domains" / "machines" / "de" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    said = ["schalte das Licht am Kühlschrank ein", "schalte das Licht am Kühlschrank nicht ein", "turn on the light"]
    lines = "\n".join(json.dumps({"text": text, "machines": MACHINES}) for text in said)
    command = [sys.executable, "-m", "engine", "decide", "--domain", "machines"]
    ran = subprocess.run(command, cwd=tmp_path, input=lines, capture_output=True, text=True, check=True)
    done, denied, english = map(json.loads, ran.stdout.splitlines())
    assert done["intent"] == "run_command"
    assert "Frigo Cucina: einschalten Licht" in done["message"]
    assert (denied["reason"], denied["message"]) == ("negated", "Gut, dann bleibt es so.")
    assert english["message"] == "2 machines can turn on the light. Which one?"
