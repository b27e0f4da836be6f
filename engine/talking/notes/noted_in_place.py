"""A note by where its words stand: "put gate code 44 in the note", "to the cake add a note, no nuts", "put the code on
it, 4411"."""

from __future__ import annotations

from engine.decision import Reference
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.notes.whose_note import spoken_of_last
from engine.talking.notes.written_on import end_of_text, least_of_name
from engine.talking.values import Told
from engine.targets.stems import stem
from engine.text.folding import title_words

Noted = tuple[tuple[int, int], Reference | None]
_LONGEST_TEXT, _LONGEST_HEAD, _LONGEST_NOUN = 16, 7, 4
_VERBS = ("note_only", "note_put", "note_write")
_IN, _PHRASE, _ONTO = "in_the_note", "note_phrase", "onto_it"


def noted_in_place(told: Told) -> Noted | None:
    said = told.policy.lexicon.names(told.reading.scene.words)
    if said.isdisjoint((_IN, _PHRASE, _ONTO)):
        return None
    return _put_in_note(told) or _named_then_note(told) or _named_detail(told)


def _put_in_note(told: Told) -> Noted | None:
    """ "put gate code 44 in the note", "the felt one, put 24 to 27 December in the note": what stands between."""
    words = told.reading.scene.words
    last = next((at for at in range(1, len(words)) if len(words) in _with_polite(_IN, at, told)), 0)
    verb = next((at for at in range(last) if _begins(at, told) and _ends(at, told)), None)
    if not last or verb is None:
        return None
    text = max(_ends(verb, told)), last
    if not 0 < text[1] - text[0] <= _LONGEST_TEXT or not _says(words[slice(*text)], told):
        return None
    before = _content_before(verb, told)
    if before is None:
        return text, spoken_of_last(told, last)
    named = (
        name_target(before, told, least=least_of_name(before, told)) if before[1] - before[0] < _LONGEST_HEAD else None
    )
    return (text, named[0]) if named and named[0].task_id else None


def _named_then_note(told: Told) -> Noted | None:
    """ "to the cake add a note, no nuts": what is named before the verb, and after the word for a note its text."""
    words = told.reading.scene.words
    for verb in range(1, min(_LONGEST_HEAD, len(words) - 2)):
        starts = [
            text
            for end in _ends(verb, told)
            for text in told.policy.lexicon.ends(_PHRASE, words, end)
            if text < len(words)
        ]
        before = _content_before(verb, told) if starts else None
        if before and any(told.policy.lexicon.ends("note_on", words, start) for start in starts):
            continue  # "move it to Friday and put a note on it: …"
        named = name_target(before, told, least=least_of_name(before, told)) if before else None
        if named and before and _is_only_name(before, named[0], told) and _says(words[max(starts) :], told):
            return (max(starts), end_of_text(told, max(starts))), named[0]
    return None


def _is_only_name(place: tuple[int, int], reference: Reference, told: Told) -> bool:
    """Whether nothing but its name is said there."""
    policy, task = told.policy, told.context.tasks.find_by_id(reference.task_id or "")
    titled = {stem(word, policy) for word in title_words(task.title)} if task else set()
    said = content_words(told.reading.scene.words[slice(*place)], policy)
    return bool(titled) and all(stem(word, policy) in titled for word in said)


def _named_detail(told: Told) -> Noted | None:
    """ "put the address on it, 14 Elm Road": the comma parts what kind of thing it is from what it is."""
    words, tokens, text = told.reading.scene.words, told.reading.utterance.tokens, told.reading.utterance.text
    verb = next((at for at in range(min(_LONGEST_HEAD, len(words))) if _begins(at, told) and _ends(at, told)), None)
    if verb is None:
        return None
    noun = max(_ends(verb, told))
    if noun >= len(words) or "det" not in told.policy.word_classes.get(words[noun], ()):
        return None
    for place in range(noun + 2, min(noun + 1 + _LONGEST_NOUN, len(words) - 1)):
        ends = [
            end for name in (_ONTO, _IN) for end in told.policy.lexicon.ends(name, words, place) if end < len(words)
        ]
        comma = next((at for at in range(max(ends), len(words)) if _parted(at, text, told)), 0) if ends else 0
        if comma and comma < len(tokens) and (comma == max(ends) or _gives_reason(max(ends), told)):
            return (comma, end_of_text(told, comma)), spoken_of_last(told, place)
    return None


def _parted(place: int, text: str, told: Told) -> bool:
    tokens = told.reading.utterance.tokens
    return any(sign in text[tokens[place - 1].end : tokens[place].start] for sign in ",:;–—-")


def _gives_reason(place: int, told: Told) -> bool:
    return bool(told.policy.lexicon.ends("note_reason", told.reading.scene.words, place))


def _content_before(verb: int, told: Told) -> tuple[int, int] | None:
    """The words before the verb that may name something."""
    words, policy = told.reading.scene.words, told.policy
    said = [
        at
        for at in range(verb)
        if content_words(words[at : at + 1], policy) and _OPENING.isdisjoint(policy.word_classes.get(words[at], ()))
    ]
    return (said[0], said[-1] + 1) if said else None


_OPENING = frozenset({"opener", "interjection", "splitter", "yes_word", "courtesy"})


def _ends(place: int, told: Told) -> list[int]:
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    return [end for name in _VERBS for end in lexicon.ends(name, words, place)]


def _begins(place: int, told: Told) -> bool:
    """Whether a request begins here: at the start, after what only opens one, or after a pause."""
    words, policy = told.reading.scene.words, told.policy
    if all(not _OPENING.isdisjoint(policy.word_classes.get(word, ())) for word in words[:place]):
        return True
    asked = any(place in policy.lexicon.ends("asks_you", words, at) for at in range(place))
    return asked or _parted(place, told.reading.utterance.text, told)


def _with_polite(name: str, place: int, told: Told) -> set[int]:
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    ends = lexicon.ends(name, words, place)
    return {after for end in ends for after in (end, *lexicon.ends("closer", words, end))}


def _says(words: tuple[str, ...], told: Told) -> bool:
    return bool(content_words(words, told.policy)) or any(map(str.isdigit, words))
