"""Edits that may make nothing of a message that was taken for a request."""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue.facts import UNKNOWN
from engine.decision import Reason
from engine.editing.edits import AddGuard, AddPhrase, Edit, SetWeight
from engine.message.read import read_message
from engine.policy.values import Policy
from engine.reading.frames import make_scene
from engine.text.normalise import normalise
from engine.why import WhyNot
from evals.suggesting.misread import Misread

_MOST_PHRASE = 4


def edit_for_nothing(misread: Misread, why: WhyNot, policy: Policy) -> Iterator[Edit]:
    """Guards made from the message, and words for things that are not ours."""
    said = misread.reason in list(Reason) and misread.reason != Reason.REMARK  # which is found, and no guard's reason
    reason = misread.reason if said else str(Reason.NOT_ABOUT_TASKS)
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    words = utterance.words
    scene = make_scene(words, utterance.sentence_starts, policy)
    start, stop = scene.opening, min(scene.ends)
    own = words[start:stop]
    if not own or any(sign in word for word in own for sign in "[](){}<>|^$"):
        return
    frames = sorted(
        {frame.id.partition(".")[0] + "." for frame in policy.frames if frame.intent == why.decision.intent}
    )
    content = [word for word in own if word not in policy.small_words and word.isalpha()]
    for word in content:
        if "foreign" in policy.words and word not in policy.word_classes:
            yield AddPhrase("foreign", word)
    for size in range(2, min(len(own), _MOST_PHRASE) + 1):
        head = " ".join(own[:size])
        yield AddGuard(reason, f"^ {head} {{rest?}}")
        if frames and size < len(own):
            yield AddGuard(reason, f"^ {head} {{rest?}}", tuple(frames))
    if len(own) <= 12:
        yield AddGuard(reason, f"^ {' '.join(own)} $")
    intents = policy.catalogue.intents
    requests, _ = read_message(utterance, misread.context, policy)
    for request in requests[:1]:
        reading = request.weighed.reading
        for each in reading.observations:
            if each.name.startswith("pair:") and "_" not in each.name:
                value = policy.weights.evidence[each.name][intents.index(UNKNOWN)] + 3.0
                yield SetWeight(each.name, UNKNOWN, round(value, 2))
                break
