"""A request at the end of a story: "he ate grass again, it never ends, anyway remind me to ring the vet".

What is told before it is not a part of it: its days are not the request's, and its words are in no title.
"""

from __future__ import annotations

from engine.policy.values import Policy
from engine.reading.frames import find_frames, make_scene
from engine.reading.requests import part
from engine.talking.clauses import split_clauses
from engine.text.normalise import Token, Utterance

_SHORTEST_MESSAGE = 12
_SHORTEST_STORY = 6
_OPENING_WORDS = 3
"""Words that may stand before the way of asking: "so yeah remind me", "però insomma domani devo"."""
_WORDS_A_CLAUSE = 4
_TELLS = frozenset({"subject", "telling", "story_word"})
_DOES = frozenset({"chore", "errand"})


def without_story(utterance: Utterance, policy: Policy) -> Utterance:
    """The message from where it asks for something on, if all before that only tells, or greets."""
    greeted = _greeting_ends(utterance, policy)
    if greeted:
        return part(utterance, greeted, len(utterance.tokens), policy)
    if len(utterance.tokens) < _SHORTEST_MESSAGE or utterance.quotes or not policy.talk.moves:
        return utterance
    clauses = split_clauses(utterance, policy)
    if len(clauses) == 1:
        return utterance
    told = 0
    for place, clause in enumerate(clauses):
        if _asks(clause, policy):
            begins = utterance.tokens.index(clause.tokens[0])
            enough = begins >= _SHORTEST_STORY and told and (2 * told >= place or begins >= _WORDS_A_CLAUSE * place)
            if not enough:
                return utterance
            about = _points_back(clause, policy) and _find_wish(clauses[place - 1], policy)
            begins = utterance.tokens.index(about) if about else begins
            return part(utterance, begins, len(utterance.tokens), policy)
        if not _DOES.isdisjoint(policy.word_classes.get(clause.tokens[0].norm, ())):
            return utterance  # "call the bank, order ink, and remind me to …": things to do, all of them
        told += _tells(clause, policy)
    return utterance


def _greeting_ends(utterance: Utterance, policy: Policy) -> int:
    """ "Good morning, what is there for today?": how many words greet before a question; 0 where none do."""
    words = utterance.words[:_SHORTEST_MESSAGE]
    ends = policy.lexicon.ends("greeting", words, 0)
    end = max(ends, default=0)
    asks = end < len(words) - 1 and "wh" in policy.word_classes.get(words[end], ())
    return end if asks and not utterance.quotes else 0


def _asks(clause: Utterance, policy: Policy) -> bool:
    """Whether its first words, or those after "so yeah", are a way of asking; not what others did: "they finished all
    the strawberries"."""
    words = clause.words
    if "past_others" in policy.word_classes.get(words[0], ()):
        return False
    for skipped in range(min(_OPENING_WORDS + 1, len(words))):
        scene = make_scene(words[skipped:], frozenset({0}), policy)
        if any(match.start in scene.starts for match in find_frames(scene, policy)):
            return True
    return False


def _points_back(clause: Utterance, policy: Policy) -> bool:
    """ "so put that on my list": it is what was just said."""
    return any("pronoun" in policy.word_classes.get(token.norm, ()) for token in clause.tokens)


def _find_wish(clause: Utterance, policy: Policy) -> Token | None:
    """Where "the vet says I need to get tablets" comes to what is needed."""
    words = clause.words
    if not policy.lexicon.names(words).isdisjoint(_DENIES):
        return None  # "then I don't need Jo either, take that off"
    for place, token in enumerate(clause.tokens):
        if any(name == "add_lead" for name, _ in policy.lexicon.classes(words, place)):
            return token
    return clause.tokens[0]


_DENIES = frozenset({"negation", "hint_negations", "no_need"})


def _tells(clause: Utterance, policy: Policy) -> bool:
    return not policy.lexicon.names(clause.words).isdisjoint(_TELLS)
