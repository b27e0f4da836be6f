"""Where the name of something new begins and ends, where its words alone make that plain."""

from __future__ import annotations

from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.spans import Stretch

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
    """ "ask Kirsty if she can help out": what is to be asked belongs to it, up to a sign or a day."""
    text, tokens, words = noticed.utterance.text, noticed.utterance.tokens, noticed.weighed.reading.scene.words
    first, last = learned[-1]
    lexicon, spans = noticed.told.policy.lexicon, date_spans(noticed.told.dates, noticed.utterance)
    asks = bool(lexicon.ends("asks_whether", words, first))
    begins = next((at for at in (last - 1, last) if at < end and lexicon.ends("whether", words, at)), None)
    if not asks or begins is None:
        return learned
    while (
        last < end and not inside(tokens[last], spans) and not text[tokens[last - 1].end : tokens[last].start].strip()
    ):
        last += 1
    return (*learned[:-1], (first, last))
