"""A note that is given after a colon: "note for the dentist: bring the x-rays"; or "change the note to …". What follows
is its text, whatever it says; what stands before says whose it is."""

from __future__ import annotations

from engine.decision import Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.reading.frames import find_frames, make_scene
from engine.slots.draft import Draft
from engine.slots.titles import find_quoted
from engine.talking.adds.listed_after_colon import find_counted_head
from engine.talking.basis import Basis, judge_with
from engine.talking.lists.narrowing import list_tool
from engine.talking.names.named_targets import name_target
from engine.talking.notes.besides import is_led_by_colon, without_too
from engine.talking.notes.whose_note import (
    NOTE_OFF,
    NOTE_READ,
    NOTE_SAYS,
    NOTE_SHOULD,
    NOTE_VERB,
    NOTE_WRITE,
    act_on,
    find_said,
    has_class,
    spoken_of_last,
    whose_note,
)
from engine.talking.notes.written_on import end_of_text, find_written_on
from engine.talking.values import Told
from engine.talking.ways.asking import tell
from engine.talking.ways.changing import changing_tool, last_target
from engine.text.normalise import make_span
from engine.values import Argument, Provenance, Task

_CHANGE = "change"
_WORD, _TURN, _MORE = "note_word", "note_turn", "cue_more"
_SURE = 0.9
_LONGEST_HEAD, _LONGEST_DROP, _LONGEST_WRITING = 12, 9, 3


def give_note(told: Told) -> tuple[Outcome, ...] | None:
    """The note set on what is named before the colon, or on what was just spoken of."""
    place = find_note(told)
    if place is None or find_counted_head(told.reading.utterance, told.policy):
        return None  # "two things to add: …"
    word, colon = place
    there = told.policy.lexicon.ends("note_here", told.reading.scene.words, word)  # "ci scriva accanto …"
    reference = (
        spoken_of_last(told, word) if colon in there and not find_said(told, 0, word) else whose_note(told, word, colon)
    )
    return write_note(told, reference, (colon, end_of_text(told, colon)), more=has_class(told, _MORE, 0, colon))


def write_note(
    told: Told, reference: Reference | None, text: tuple[int, int], *, more: bool
) -> tuple[Outcome, ...] | None:
    """These words set as the note of what is meant, or added to it."""
    facts = changing_tool(told)
    argument = facts.argument("note") if facts else None
    task = told.context.tasks.find_by_id(reference.task_id) if reference and reference.task_id else None
    if facts is None or not argument or reference is None or task is None or _only_writes(told, text):
        return None
    utterance = told.reading.utterance
    quoted = find_quoted(utterance, *text)
    bare = text if quoted else without_too(told, text)
    if task.description:
        text, more = bare, more or bare != text
    elif bare[0] > text[0] and is_led_by_colon(told, bare[0]):  # "scrivici anche: hanno un cane"
        text = bare[0], text[1]
    span = quoted.span if quoted else make_span(utterance.tokens[text[0]].start, utterance.tokens[text[1] - 1].end)
    said = quoted.value if quoted else utterance.slice(span)
    slot = Slot(argument, f"{task.description}\n{said}" if more and task.description else said, span)
    drafted = Draft(facts.intent, (Argument(argument, slot.value, Provenance("words", span)),), (slot,))
    whole = 0, len(utterance.tokens)
    basis = Basis("move:note", act_on(reference), _SURE, (Factor("a note, with its text", _SURE),), *whole)
    return (judge_with(basis, facts, drafted, reference, told),)


def _only_writes(told: Told, text: tuple[int, int]) -> bool:
    """ "…, write it in the notes": what shall be written stands elsewhere."""
    words = told.reading.scene.words[text[0] : text[1]]
    return any(end == len(words) for end in told.policy.lexicon.ends("jot_down", words, 0))


def find_note(told: Told) -> tuple[int, int] | None:
    """The word for a note (or for writing), and where its text begins, where the form of the message says so."""
    colon = find_colon(told) or _find_turn(told) or _find_written_last(told)
    word = _find_note_word(told, colon)
    if word is None and colon:
        word = _find_writing(told, colon) or _find_adding_to(told, colon)
    found = (word, colon) if word is not None else find_written_on(told, name_target)
    return (found[0], _after_that(told, found[1])) if found else None


def _after_that(told: Told, place: int) -> int:
    """ "put a note that parking is behind the church": the note is what follows."""
    words, text, tokens = told.reading.scene.words, told.reading.utterance.text, told.reading.utterance.tokens
    signed = place and text[tokens[place - 1].end : tokens[place].start].strip()
    ends = [] if signed else [end for end in told.policy.lexicon.ends("note_lead", words, place) if end < len(words)]
    return max(ends, default=place)


def drop_note(told: Told) -> tuple[Outcome, ...] | None:
    """ "take the note out again": said in few words of something that has one."""
    facts, words = changing_tool(told), told.reading.scene.words
    argument = facts.argument("note") if facts else None
    word = _find_note_word(told, len(words)) if len(words) <= _LONGEST_DROP else None
    if facts is None or not argument or word is None or not has_class(told, NOTE_OFF, 0, len(words)):
        return None
    reference = whose_note(told, word, len(words))
    task = told.context.tasks.find_by_id(reference.task_id) if reference and reference.task_id else None
    if reference is None or task is None or not task.description:
        return None
    slot = Slot(argument, "", told.reading.utterance.span(0, len(words)))
    drafted = Draft(facts.intent, (Argument(argument, "", Provenance("words", slot.span)),), (slot,))
    basis = Basis("move:note", act_on(reference), _SURE, (Factor("a note, to be taken away", _SURE),), 0, len(words))
    return (judge_with(basis, facts, drafted, reference, told),)


def read_note(told: Told) -> tuple[Outcome, ...] | None:
    """ "is there a note?", "read me the note": what it says, of what is named or was just spoken of."""
    facts, words = list_tool(told), told.reading.scene.words
    word = _find_note_word(told, len(words)) if len(words) <= _LONGEST_DROP and not find_colon(told) else None
    asks = "?" in told.reading.utterance.own_text or has_class(told, NOTE_READ, 0, len(words))
    if (
        facts is None
        or word is None
        or not asks
        or has_class(told, NOTE_VERB, 0, len(words))
        or has_class(told, NOTE_OFF, 0, len(words))
    ):
        return None
    reference = whose_note(told, word, len(words))
    task = told.context.tasks.find_by_id(reference.task_id) if reference and reference.task_id else None
    if reference is None or not isinstance(task, Task):
        return None
    search = Argument(facts.argument("search"), task.title, Provenance("store", reference.span, "the title"))
    basis = Basis("move:note", "ask", _SURE, (Factor("a note is asked for", _SURE),), 0, len(words))
    outcome = judge_with(basis, facts, Draft(facts.intent, (search,)), None, told)
    return (outcome._replace(references=(reference,), answer=tell(task, "note", told), asks="note"),)


def find_colon(told: Told) -> int:
    """The place of the first word after a colon; 0 where there is none near the beginning."""
    utterance = told.reading.utterance
    if ":" not in utterance.text:
        return 0
    for place in range(1, min(len(utterance.tokens), _LONGEST_HEAD)):
        if ":" in utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]:
            return place
    return 0


def _find_turn(told: Told) -> int:
    """The place of the first word after "change the note to"; 0 where nothing of the kind is said."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    word = _find_note_word(told, min(len(words), _LONGEST_HEAD))
    if word is None or find_said(told, 0, word):
        return 0
    if word == 0 and _is_all_noted(told):
        return 1
    if word and not has_class(
        told, NOTE_VERB, 0, word
    ):  # "nota sul traghetto, due adulti": the word alone begins one, too
        return _find_after_should(told, word)
    changes = has_class(told, _CHANGE, 0, word)
    ends = [end for end in lexicon.ends(_TURN, words, word + 1) if end < len(words)] if changes else []
    says = [
        end
        for place in range(word + 1, min(len(words), _LONGEST_HEAD))
        for end in lexicon.ends(NOTE_SAYS, words, place)
        if end < len(words)
    ]
    return min(says, default=0) or max(ends, default=0) or _find_after_named(told, word)


def _is_all_noted(told: Told) -> bool:
    """ "note ring twice, ask for Lena", right after something was spoken of: the comma is one of the note."""
    words, utterance, lexicon = told.reading.scene.words, told.reading.utterance, told.policy.lexicon
    if "," not in utterance.text or not told.situation.fresh or last_target(told) is None or len(words) < _FIRST:
        return False
    tokens = utterance.tokens
    after = [at for at in range(2, len(words)) if "," in utterance.text[tokens[at - 1].end : tokens[at].start]]
    if not after or told.dates or words[1] in told.policy.small_words:
        return False
    scene = make_scene(words[after[0] :], frozenset({0}), told.policy)
    begins = told.policy.word_classes.get(words[after[0]], frozenset())
    asks = any(not each.frame.weak for each in find_frames(scene, told.policy)) or not _ORDERS.isdisjoint(begins)
    return not asks and not any(lexicon.ends(name, words, 1) for name in (_ON, _TURN, NOTE_SAYS, NOTE_SHOULD))


_ORDERS = frozenset({"add", "cue_add", "cue_move", "cue_off", "cue_done"})


def _find_after_should(told: Told, word: int) -> int:
    """ "the note should say three copies, signed": all that follows is its text."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if NOTE_SHOULD not in lexicon.names(words) or "?" in told.reading.utterance.own_text:  # nearly always
        return 0
    places = range(word + 1, min(len(words), _LONGEST_HEAD))
    ends = [end for place in places for end in lexicon.ends(NOTE_SHOULD, words, place)]
    return max((end for end in ends if end < len(words)), default=0)


def _find_after_named(told: Told, word: int) -> int:
    """ "put a note on it, cheque to Ann", "put a note on the jars, gold lids": what stands after the comma is the
    text."""
    words, utterance = told.reading.scene.words, told.reading.utterance
    for place in range(word + 1, min(_LONGEST_HEAD, len(words) - 1)):
        between = utterance.text[utterance.tokens[place].end : utterance.tokens[place + 1].start]
        if place > word + 1 and told.policy.lexicon.ends(_TURN, words, place):
            return 0  # "change the note of the cake to eggs, flour"
        if any(sign in between for sign in ",;–—-") and place + 1 < end_of_text(told, word):
            named = find_said(told, word + 1, place + 1)
            pointed = any("just_it" in told.policy.word_classes.get(each, ()) for each in words[word + 1 : place + 1])
            return place + 1 if (name_target(named, told) if named else pointed) else 0
    return 0


def _find_written_last(told: Told) -> int:
    """ "in the note of the window write white lights": where a verb of writing comes after what it is about."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if not lexicon.names(words) >= {_ON, NOTE_WRITE}:  # nearly always
        return 0
    if not any(lexicon.ends(_ON, words, place) for place in range(min(_FIRST, len(words)))):
        return 0
    for place in range(2, min(_LONGEST_HEAD, len(words) - 1)):
        ends = lexicon.ends(NOTE_WRITE, words, place)
        if ends and max(ends) < len(words):
            word = _find_note_word(told, place)
            named = find_said(told, 0 if word is None else word + 1, place)
            return _after_note_word(told, max(ends)) if named and name_target(named, told) else 0
    return 0


_ON, _FIRST = "note_on", 3


def _after_note_word(told: Told, place: int) -> int:
    """ "on the jars put as a note 200 pieces": the word for it is no part of it."""
    words = told.reading.scene.words
    ends = [end for end in told.policy.lexicon.ends("note_phrase", words, place) if end < len(words)]
    return max(ends, default=place)


def _find_note_word(told: Told, colon: int) -> int | None:
    words, classes = told.reading.scene.words, told.policy.word_classes
    if _WORD not in told.policy.lexicon.names(words):  # nearly always
        return None
    places = [place for place in range(colon) if _WORD in classes.get(words[place], ())]
    return places[-1] if places else None


def _find_writing(told: Told, colon: int) -> int | None:
    """ "on the dentist's one write: bring the card": a verb of noting before the colon, something stored before it."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    for verb in range(colon - 1, max(-1, colon - 1 - _LONGEST_WRITING), -1):  # "write", "write down"
        if any(colon in lexicon.ends(name, words, verb) for name in (NOTE_VERB, NOTE_WRITE)):
            named = find_said(told, 0, verb)
            return verb if named and name_target(named, told) else None
    return None


def _find_adding_to(told: Told, colon: int) -> int | None:
    """ "add to the dentist: bring the card": a verb that adds, and before the colon nothing but the name of something
    stored after a word like "to"."""
    scene, policy = told.reading.scene, told.policy
    verb = scene.opening
    adds = {"add", NOTE_VERB, "remember"} & policy.word_classes.get(scene.words[verb], frozenset())
    lead = scene.words[verb + 1] if verb + 1 < colon else ""
    named = find_said(told, verb + 2, colon) if adds and lead in policy.small_words else None
    found = name_target(named, told) if named else None
    return verb + 1 if found and found[0].task_id and verb + 1 < colon else None
