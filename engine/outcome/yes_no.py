"""Whether words say yes or no: all of them, at the beginning of more, or in passing."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance

LONGEST_YES = 6


def is_all(words: tuple[str, ...], policy: Policy, names: tuple[str, ...]) -> bool:
    """Whether the whole message is made of phrases of these classes (and of polite words)."""
    if not words or len(words) > LONGEST_YES + 2:
        return False
    place, hit = 0, False
    while place < len(words):
        found = tuple(policy.lexicon.among((*names, "opener", "closer"), words, place))
        told = max((length for name, length in found if name in names), default=0)
        polite = max((length for name, length in found if name in ("opener", "closer")), default=0)
        if not (told or polite):
            return False
        hit = hit or bool(told)
        place += told or polite
    return hit


def find_answer_end(utterance: Utterance, policy: Policy) -> int:
    """Where a yes or a no at the beginning of a message ends; 0 where there is none. Several words that say it must
    end there, too: "I am, and …", not "I am Bob"; so must one that requests begin with: "please, and …", not "please
    add …"."""
    words, place, hit = utterance.words, 0, 0
    while place < min(len(words), LONGEST_YES):
        found = tuple(policy.lexicon.classes(words, place))
        said = [length for name, length in found if name in ("yes_word", "no_word", "cancel_word")]
        names = {name for name, length in found if length == 1}
        least = 1 if "opener" not in names or names & {"firm_yes", "no_word", "cancel_word"} else None
        told = max((each for each in said if each == least or ends_at(utterance, place + each, policy)), default=0)
        polite = max((length for name, length in found if name in ("opener", "closer")), default=0)
        if not (told or polite):
            break
        place += told or polite
        hit = place if told else hit
    return hit


def ends_at(utterance: Utterance, place: int, policy: Policy) -> bool:
    """Whether something new begins with this word: after a sign, or with a word that joins."""
    if place >= len(utterance.tokens):
        return True
    before, after = utterance.tokens[place - 1], utterance.tokens[place]
    signs = utterance.text[before.end : after.start]
    return any(not sign.isspace() for sign in signs) or after.norm in policy.splitters


def is_small_talk(utterance: Utterance, policy: Policy) -> bool:
    words = utterance.words
    return policy.lexicon.says("cue_chat", words)


def yes_or_no(utterance: Utterance, policy: Policy, about: str = "") -> str | None:
    """What a short message says in passing: "that would be most kind, yes", "ok then yes". A single no is a no; where
    anything else is asked for or talked of, or the yes is denied, it is neither. `about`: what the question names."""
    words = utterance.words
    if not words or len(words) > _LONGEST_ROUNDABOUT:
        return None
    names = {name for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place)}
    if names & _SOMETHING_ELSE:
        return None
    if names & {"no_word", "cancel_word"}:
        return None if "yes_word" in names else "no_word"
    if "yes_word" not in names or not names.isdisjoint({"negation", "but_word"}):
        return None
    return "yes_word" if is_firm(utterance, policy) or not talks_of(utterance, policy, about) else None


def is_firm(utterance: Utterance, policy: Policy) -> bool:
    """Whether the message begins with a word that is nothing but a yes, or ends with one after a sign: "yes, it is
    old", "most kind, yes"; not "fine weather", "right, tea break", "she said yes"."""
    words, place = utterance.words, 0
    while place < len(words):
        found = tuple(policy.lexicon.classes(words, place))
        firm = max((length for name, length in found if name == "firm_yes"), default=0)
        ends = ends_at(utterance, place + firm, policy) or _is_only_yes(words[place], policy)
        if firm and (words[place] not in policy.small_words or ends):
            return True  # "si, buttala", "sì purtroppo", not "si è rotta"
        polite = max((length for name, length in found if name in _OPENING), default=0)
        if not polite:
            break
        place += polite
    last = next((place for place in range(1, len(words)) if _is_last(words, place, policy)), None)
    return last is not None and ends_at(utterance, last, policy)


def _is_only_yes(word: str, policy: Policy) -> bool:
    """Whether the word has no other use in the middle of a sentence: "yes" and "sì", not "si"."""
    return "story_word" not in policy.word_classes.get(word, ())


def _is_last(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    return any(
        name == "firm_yes" and place + length == len(words) for name, length in policy.lexicon.classes(words, place)
    )


def talks_of(utterance: Utterance, policy: Policy, about: str = "") -> tuple[str, ...]:
    """The words that say something beside a yes: of what is asked about they may say anything, of others nothing."""
    words, known = utterance.words, {*title_words(about), *policy.small_words}
    left: list[str] = []
    place = 0
    while place < len(words):
        ends = max(policy.lexicon.ends("that_is_all", words, place), default=0)
        if ends:  # "ok thanks, that's all" ends the talk, and says no yes to a question
            left += words[place:ends]
            place = ends
            continue
        said = max((length for name, length in policy.lexicon.classes(words, place) if name in _AGREEING), default=0)
        if not said and words[place] not in known and fold(words[place]) not in known:
            left.append(words[place])
        place += said or 1
    return tuple(left)


_OPENING = ("opener", "interjection", "closer")
_AGREEING = frozenset({"yes_word", "firm_yes", "cue_off", "cue_done", "pronoun", "delete", "thanks", *_OPENING})


_LONGEST_ROUNDABOUT = 7
_SOMETHING_ELSE = frozenset(
    {"cue_add", "cue_show", "cue_move", "cue_undo", "cue_note", "wh", "cue_chat", "chore", "add_lead", "corrector"}
)


def asks_back(utterance: Utterance, policy: Policy) -> bool:
    """ "when do I have to ring the surgery?" is no answer to "which one?"."""
    first = policy.word_classes.get(utterance.tokens[0].norm, frozenset()) if utterance.tokens else frozenset()
    return "wh" in first and "?" in utterance.own_text
