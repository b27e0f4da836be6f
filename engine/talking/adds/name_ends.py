"""Where the name of something new begins and ends, where its words alone make that plain."""

from __future__ import annotations

from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.spans import Stretch
from engine.text.normalise import Token

_LONGEST_VERB = 3


def begin_after_order(noticed: Noticed, learned: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """ "add put out chairs": after a word that means nothing but adding, what is added begins at once."""
    scene, spans = noticed.weighed.reading.scene, date_spans(noticed.told.dates, noticed.utterance)
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    begins = max(noticed.told.policy.lexicon.ends("adds_only", scene.words, scene.opening), default=0)
    first, last = learned[0]
    skipped = range(begins, first) if begins and begins < first else range(0)
    signed = skipped and text[tokens[begins].start : tokens[first].start].strip(_LETTERS_AND_BLANKS)
    verb = bool(skipped) and is_chore(scene.words[begins], noticed.told.policy)
    if not verb or signed or any(inside(tokens[at], spans) for at in skipped) or len(skipped) > _LONGEST_VERB:
        return learned
    return ((begins, last), *learned[1:])


_LETTERS_AND_BLANKS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZàèéìòù '’"


def with_what_is_asked(noticed: Noticed, learned: tuple[Stretch, ...], end: int) -> tuple[Stretch, ...]:
    """ "ask Kirsty if she can help out", "tell the school Tom will be late": what is to be asked or told belongs to it,
    up to a sign or a day."""
    text, tokens, words = noticed.utterance.text, noticed.utterance.tokens, noticed.weighed.reading.scene.words
    first, last = learned[-1]
    lexicon, spans = noticed.told.policy.lexicon, date_spans(noticed.told.dates, noticed.utterance)
    asks = bool(lexicon.ends("asks_whether", words, first))
    begins = next((at for at in (last - 1, last) if at < end and lexicon.ends("whether", words, at)), None)
    if not (asks and begins is not None) and not lexicon.ends("tells_somebody", words, first):
        return learned
    while (
        last < end and not inside(tokens[last], spans) and not text[tokens[last - 1].end : tokens[last].start].strip()
    ):
        last += 1
    return (*learned[:-1], (first, last))


def with_rest_of_order(noticed: Noticed, learned: tuple[Stretch, ...], end: int) -> tuple[Stretch, ...]:
    """ "add second coat on the fence Saturday", "add tyres Golf doctor Hall at nine": after a mere order no word
    between the name and the day, a sign or the end is lost, unless it says something else."""
    scene, text, tokens = noticed.weighed.reading.scene, noticed.utterance.text, noticed.utterance.tokens
    policy, spans = noticed.told.policy, date_spans(noticed.told.dates, noticed.utterance)
    begins = max(policy.lexicon.ends("adds_only", scene.words, scene.opening), default=0)
    first, last = learned[-1]
    if not begins or len(learned) > 1 or any(at in noticed.content for at in range(begins, first)):
        return learned
    until = last
    while until < end and not inside(tokens[until], spans) and not _is_signed(text, tokens, until):
        kinds = policy.word_classes.get(scene.words[until], frozenset())
        if not kinds.isdisjoint(_SAYS_MORE | _JOINS) or noticed.utterance.is_quoted(until):
            return learned
        until += 1
    said = [at for at in range(last, until) if at in noticed.content]
    while said and until - 1 > said[-1]:
        until -= 1  # "the fence on Saturday"
    return ((first, until),) if said and len(said) <= _MOST_REST else learned


_JOINS = frozenset({"splitter", "joiner", "wh", "condition", "negation", "pronoun"})


def with_rest_after_date(noticed: Noticed, learned: tuple[Stretch, ...], end: int) -> tuple[Stretch, ...]:
    """ "ring the shop on Monday about the boots": what a preposition joins on behind the day belongs to the name."""
    grown: list[Stretch] = []
    for place, (first, last) in enumerate(learned):
        if grown and first < grown[-1][1]:
            continue  # it was taken for a thing of its own
        joint = _skip_dates(noticed, last, end)
        until = _end_of_rest(noticed, joint, end) if last < joint < end else 0
        following = learned[place + 1][0] if place + 1 < len(learned) else end
        grown.append((first, until if until and following >= joint else last))
    return tuple(grown)


def _skip_dates(noticed: Noticed, place: int, end: int) -> int:
    tokens, spans = noticed.utterance.tokens, date_spans(noticed.told.dates, noticed.utterance)
    while place < end and inside(tokens[place], spans):
        place += 1
    return place


def _end_of_rest(noticed: Noticed, joint: int, end: int) -> int:
    """Where the words end that the preposition at this place leads; 0 where there is none, or they say something else:
    a level, a note, another day, a sentence."""
    text, tokens, words = noticed.utterance.text, noticed.utterance.tokens, noticed.weighed.reading.scene.words
    policy, spans = noticed.told.policy, date_spans(noticed.told.dates, noticed.utterance)
    kinds = [policy.word_classes.get(word, frozenset()) for word in words[:end]]
    if (
        "function" not in kinds[joint]
        or not kinds[joint].isdisjoint(_NO_PREPOSITION)
        or _is_signed(text, tokens, joint)
    ):
        return 0
    last = joint + 1
    while last < end and not _is_signed(text, tokens, last) and words[last] not in policy.splitters:
        if not kinds[last].isdisjoint(_SAYS_MORE) or inside(tokens[last], spans):
            return 0
        last += 1
    said = [at for at in range(joint + 1, last) if words[at] not in policy.small_words and not words[at].isdigit()]
    return last if said and len(said) <= _MOST_REST and not is_chore(words[said[0]], policy) else 0


def _is_signed(text: str, tokens: tuple[Token, ...], place: int) -> bool:
    return bool(text[tokens[place - 1].end : tokens[place].start].strip())


_NO_PREPOSITION = frozenset(
    {
        "clause_joiner",
        "joiner",
        "telling",
        "condition",
        "wh",
        "splitter",
        "interjection",
        "subject",
        "negation",
        "pronoun",
    }
)
_SAYS_MORE = frozenset(
    {"level_noun", "level_high", "level_medium", "level_low", "note_word", "list", "finite", "subject", "just_it"}
    | {"closer", "cue_same", "cue_undo", "clause_joiner", "whether", "telling"}
)
_MOST_REST = 5
