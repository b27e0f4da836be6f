"""What an edit makes of the files of a language folder: their texts before, their texts after."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import unified_diff

from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddSpelling,
    AddWay,
    Edit,
    RemovePattern,
    RemovePhrase,
    SetThreshold,
    SetWeight,
    SetWeights,
    SeveralEdits,
    WriteFile,
)
from engine.editing.yaml_edits import EditError, add_to_list, append_block, quote, remove_from_list, set_in_mapping
from engine.policy.origin import ACTS, DATES, GUARDS, INTENTS, LANGUAGE, REPLIES, WEIGHTS, WORDS
from engine.policy.values import Policy
from engine.policy.words_file import read_words_file

Texts = Mapping[str, str]
"""The files of a language folder by their names in it."""
_NAMES = re.compile(rf"(?:{INTENTS}|{ACTS})/\w{{1,60}}\.yaml")
_WHOLE_NAMES = frozenset({LANGUAGE, WORDS, GUARDS, REPLIES, WEIGHTS, DATES})


def is_policy_file(name: str) -> bool:
    """Whether a language folder may have a file of this name."""
    return name in _WHOLE_NAMES or bool(_NAMES.fullmatch(name))


def apply_edit(texts: Texts, edit: Edit, policy: Policy) -> dict[str, str]:
    """All files afterwards. `policy` is the one before: it knows what a class has from the folders below.
    EditError says why it cannot be made."""
    after = dict(texts)
    for each in edit.edits if isinstance(edit, SeveralEdits) else (edit,):
        name, text = _write(after, each, policy)
        after[name] = text
    return after


def _write(texts: Texts, edit: Edit, policy: Policy) -> tuple[str, str]:
    """The one file that the edit changes, and its text afterwards."""
    match edit:
        case AddPhrase(name, phrase):
            return WORDS, _add_phrase(texts.get(WORDS, ""), name, _one_line(phrase), policy)
        case RemovePhrase(name, phrase):
            return WORDS, _remove_phrase(texts.get(WORDS, ""), name, phrase, policy)
        case AddPattern(intent) | RemovePattern(intent):
            file = f"{INTENTS}/{intent}.yaml"
            return file, _change_patterns(texts.get(file, ""), edit, policy)
        case AddWay(way, pattern):
            file = _file_of_way(texts, way)
            return file, add_to_list(texts[file], (way, "patterns"), pattern)
        case AddGuard():
            return GUARDS, "\n".join([texts.get(GUARDS, "").rstrip("\n"), _guard_block(edit)]).lstrip("\n")
        case WriteFile(name, text) if is_policy_file(name):
            return name, text
        case WriteFile(name):
            raise EditError(f"a language folder has no file {name!r}")
        case SeveralEdits():
            raise EditError("several edits are made one after the other")
        case _:
            return _write_number(texts, edit, policy)


def _file_of_way(texts: Texts, way: str) -> str:
    heading = re.compile(rf"^{re.escape(way)}:", re.MULTILINE)
    found = next((name for name in sorted(texts) if name.startswith(f"{ACTS}/") and heading.search(texts[name])), None)
    if found is None:
        raise EditError(f"there is no way of talking {way!r}")
    return found


def _write_number(
    texts: Texts, edit: AddSpelling | SetThreshold | SetWeight | SetWeights, policy: Policy
) -> tuple[str, str]:
    if isinstance(edit, SetWeights):
        return WEIGHTS, _set_weights(texts.get(WEIGHTS, ""), edit, policy)
    if isinstance(edit, SetWeight):
        return WEIGHTS, _set_weight(texts.get(WEIGHTS, ""), edit.rule, edit.intent, edit.value, policy)
    language = texts.get(LANGUAGE, "")
    if isinstance(edit, AddSpelling):
        return LANGUAGE, set_in_mapping(language, "spellings", edit.word, quote(edit.meant))
    return LANGUAGE, set_in_mapping(language, "thresholds", edit.name, f"{edit.value:g}")


def changed_files(before: Texts, after: Texts) -> tuple[str, ...]:
    return tuple(name for name in sorted({*before, *after}) if before.get(name) != after.get(name))


def write_diff(before: Texts, after: Texts) -> str:
    """As `diff -u` says it, without the table of weights at length."""
    lines: list[str] = []
    for name in changed_files(before, after):
        one, other = before.get(name, "").splitlines(), after.get(name, "").splitlines()
        lines += [line.rstrip("\n") for line in unified_diff(one, other, f"a/{name}", f"b/{name}", lineterm="", n=2)]
    return "\n".join(lines)


def _one_line(phrase: str) -> str:
    cleaned = " ".join(phrase.split())
    if not cleaned or cleaned.startswith(("#", "[")):
        raise EditError(f"{phrase!r} is no phrase")
    return cleaned


def _add_phrase(text: str, name: str, phrase: str, policy: Policy) -> str:
    words = read_words_file(text)
    if name in words.classes:
        if phrase in words.classes[name]:
            raise EditError(f"<{name}> has “{phrase}” already")
        lines = text.split("\n")
        lines.insert(max([words.headings[name], *words.lines[name]]), phrase)
        return "\n".join(lines)
    below = policy.source["words"].get(name)
    if below is None:
        raise EditError(f"no class is called {name!r}")
    if phrase in below:
        raise EditError(f"<{name}> has “{phrase}” already")
    # A class that the folder has itself is its own: what the folders below have in it must come along.
    return append_block(text, "\n".join([f"[{name}]", *below, phrase]) + "\n")


def _remove_phrase(text: str, name: str, phrase: str, policy: Policy) -> str:
    words = read_words_file(text)
    if name not in words.classes:
        below = policy.source["words"].get(name) or []
        if phrase not in below:
            raise EditError(f"<{name}> has no “{phrase}”")
        return append_block(text, "\n".join([f"[{name}]", *(each for each in below if each != phrase)]) + "\n")
    if phrase not in words.classes[name]:
        raise EditError(f"<{name}> has no “{phrase}”")
    lines = text.split("\n")
    del lines[words.lines[name][words.classes[name].index(phrase)] - 1]
    return "\n".join(lines)


def _change_patterns(text: str, edit: AddPattern | RemovePattern, policy: Policy) -> str:
    if edit.intent not in policy.catalogue.by_intent:
        raise EditError(f"there is no intent {edit.intent!r}")
    if isinstance(edit, RemovePattern):
        return remove_from_list(text, (edit.frame, "patterns"), edit.pattern)
    there = next((frame for frame in policy.frames if frame.id == edit.frame), None)
    if there is not None and there.intent != edit.intent:
        raise EditError(f"{edit.frame!r} is a way of asking for {there.intent}")
    if there is not None:
        return add_to_list(text, (edit.frame, "patterns"), edit.pattern)
    flags = [f"  {name}: true" for name in ("weak", "clear") if getattr(edit, name)]
    block = "\n".join([f"{edit.frame}:", *flags, "  patterns:", f"    - {quote(edit.pattern)}", ""])
    return append_block(text, block)


def _guard_block(edit: AddGuard) -> str:
    more = [f"  frames: [{', '.join(edit.frames)}]"] if edit.frames else []
    more += ["  asked: true"] if edit.asked else []
    return "\n".join([f"- reason: {edit.reason}", *more, "  patterns:", f"    - {quote(edit.pattern)}", ""])


_EVIDENCE = re.compile(r'"evidence":\s*\{')


def _set_weight(text: str, rule: str, intent: str, value: float, policy: Policy) -> str:
    """The table has one observation a line: that line is written anew, or one is put in."""
    if not text:
        raise EditError("nothing was learned for this language yet: it has no weights to set")
    if intent not in policy.catalogue.intents:
        raise EditError(f"there is no intent {intent!r}")
    key = json.dumps(rule, ensure_ascii=False)
    found = re.search(rf"(?<=[{{\n,]){re.escape(key)}:\s*(\{{[^{{}}]*\}})", text)
    rounded = round(value, 4)
    if found:
        entry = json.loads(found.group(1)) | {intent: rounded}
        return text[: found.start(1)] + _entry(entry) + text[found.end(1) :]
    head = _EVIDENCE.search(text)
    if head is None:
        raise EditError("the table of weights has no evidence")
    # A frame that was added since weighs what its kin weigh: that stays, but for this one number.
    known = policy.weights.evidence.get(rule, ())
    entry = {name: round(each, 4) for name, each in zip(policy.catalogue.intents, known, strict=False) if each}
    line = f"{key}:{_entry(entry | {intent: rounded})},\n"
    return text[: head.end()] + line + text[head.end() :]


_LINE = re.compile(r'(?<=[{\n,])("(?:[^"\\]|\\.)*"):\s*(\{[^{}]*\})')


def _set_weights(text: str, edit: SetWeights, policy: Policy) -> str:
    """All of them in one pass: the table has thousands of lines."""
    head = _EVIDENCE.search(text)
    if head is None:
        raise EditError("nothing was learned for this language yet: it has no weights to set")
    wanted: dict[str, dict[str, float]] = {}
    for rule, intent, value in edit.weights:
        if intent not in policy.catalogue.intents:
            raise EditError(f"there is no intent {intent!r}")
        wanted.setdefault(rule, {})[intent] = round(value, 4)

    def put(found: re.Match[str]) -> str:
        values = wanted.pop(json.loads(found.group(1)), None)
        return found.group() if values is None else f"{found.group(1)}:{_entry(json.loads(found.group(2)) | values)}"

    rest = _LINE.sub(put, text[head.end() :])
    lines = [f"{json.dumps(rule, ensure_ascii=False)}:{_entry(values)}" for rule, values in sorted(wanted.items())]
    new = ",\n".join(lines)
    comma = ",\n" if lines and not rest.lstrip().startswith("}") else ""
    return text[: head.end()] + new + comma + rest


def _entry(entry: Mapping[str, float]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
