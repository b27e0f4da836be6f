"""What was done is taken back, and why: "no, undo that, I can make it after all", "annulla, sabato sono via".

Behind the words that take it back stands only a reason. Its day is no day to move anything to, and its words name
nothing; what follows is only read where it asks for something itself: "undo that and put it on Friday".
"""

from __future__ import annotations

from engine.decision import Context
from engine.message.judged_request import hear_request
from engine.policy.values import Policy
from engine.reading.frames import find_frames, make_scene
from engine.reading.requests import part
from engine.text.normalise import Utterance

_UNDOES, _TAKES_BACK = "undo", "cue_undo"
_ACTS = frozenset(
    {
        "change",
        "move",
        "rename",
        "cue_move",
        "cue_rename",
        "cue_note",
        "cue_off",
        "remind_me",
        "show",
        "add_lead",
        "add",
    }
)
_LEAST = 3
"""Words that a reason has: "undo that, Friday" puts right."""


def without_reason(utterance: Utterance, context: Context, policy: Policy) -> Utterance:
    words = utterance.words
    if not context.history or not policy.lexicon.says(_TAKES_BACK, words):  # nearly always
        return utterance
    place = _first_end(utterance, policy)
    if not place or len(words) - place < _LEAST or _asks(words[place:], policy):
        return utterance
    first = part(utterance, 0, place, policy)
    outcomes = hear_request(first, context, policy).outcomes
    taken_back = all(each.act == _UNDOES and each.action == "execute" for each in outcomes)
    return first if taken_back else utterance


def _first_end(utterance: Utterance, policy: Policy) -> int:
    """Where the clause ends that takes something back; 0 where it begins no message, or nothing follows."""
    words, text, tokens = utterance.words, utterance.text, utterance.tokens
    ends = [end for at in range(len(words)) for end in policy.lexicon.ends(_TAKES_BACK, words, at)]
    since = max((end for end in ends if end <= min(ends) + 1), default=0)
    for place in range(since, len(tokens)):
        if any(sign in text[tokens[place - 1].end : tokens[place].start] for sign in ",.;!:-–"):
            return place
    return 0


def _asks(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether it begins with what shall be done instead, or is a way of asking."""
    begins = next((place for place, word in enumerate(words) if word not in policy.splitters), 0)
    for place in range(begins, min(begins + 2, len(words))):
        if policy.lexicon.among(_ACTS, words, place):
            return True
        if not policy.lexicon.among(_OPENS, words, place):
            break
    scene = make_scene(words, frozenset({0}), policy)
    return any(not match.frame.weak for match in find_frames(scene, policy))


_OPENS = frozenset({"opener", "interjection", "corrector", "no_word"})
