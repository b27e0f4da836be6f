"""How sure a move must be: to be heard at all, and to be made unasked. The first message of a conversation has only its
own words to speak for it, and needs more."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from engine.decision import Reason
from engine.reading.leaving_out import leaves_out
from engine.reading.questions import asks_what, is_question
from engine.slots.titles import date_spans, inside
from engine.talking.adds.plain_adds import says_to_add
from engine.talking.days.choosing_dates import puts_day_right
from engine.talking.moves.noticed import POINTING, Noticed, holds
from engine.talking.names.naming import is_chore
from engine.talking.names.pointing import unexplained
from engine.talking.ways.told_past import reports_today

NEED_CUE: Mapping[str, tuple[str, ...]] = {
    "undo": ("undo",),
    "redo": ("redo",),
    "finish": ("done",),
    "remove": ("off",),
}
"""Words without which a move is only offered, never made."""
_SURE = 0.9
"""From this share on a change is made unasked."""
_SURE_TO_LOOK = 0.65
"""Looking something up changes nothing: less will do."""
_HARMLESS = 0.1
"""So much less sure than a change, too, wherever the threshold of acting stands."""
_MOST_LEFT = 2
"""Words without a part in it that a question or a report may have in the middle of a conversation."""
_BEYOND_DOUBT, _FIRST_BEYOND_DOUBT = 0.8, 0.9
"""From this share on a message needs nothing more to be heard; a first one has only its own words."""
_WORDS_AGREE = 0.25
"""What the words alone must give to what is done about a first message: they know what other assistants are asked."""
_SURE_TO_BEGIN, _DATED_TO_BEGIN = 0.95, 0.92
"""From this share on something to do may begin a conversation: "call Ugo"; with its day, "haircut tuesday at four"."""
_SURE_TO_ADD = 0.94
"""From this share on something to do is added in the middle of one, where no word asks for it."""
_WORDS_SAY = 0.5
"""From this share on the words alone ask for it."""
_BEYOND_ANY_DOUBT = 0.99
_CERTAIN = 0.97
"""From this share on a first message is acted on though its words alone say something else."""
_WHOLE = 0.8
"""So much of a title leaves no doubt that it is spoken of."""
_LIKELY_REPORT = 0.85
"""From this share on a first message without a word for it may report something done."""
_LIKELY_LATE = 0.5
_MOST_UNKNOWN = 3
_LIKELY_NAMED = 0.8
"""From this share on a question about something whose name is said is answered."""
_CHORE_FIRST = "shape:begins chore"
_CHANGES = ("change", "finish", "remove")
_MOST_IN_PASSING = 10
_STOP = (Reason.NEGATED, Reason.HYPOTHETICAL)


def may_be_heard(name: str, noticed: Noticed, share: float) -> bool:
    """A denial, a condition or a question changes nothing, and what asks to finish something adds nothing."""
    reading, catalogue = noticed.weighed.reading, noticed.told.policy.catalogue
    if _is_guarded(name, noticed, share) or _is_not_meant(name, noticed, share):
        return False
    words, classes = reading.scene.words, noticed.told.policy.word_classes
    negated = any("negation" in classes.get(word, ()) for word in words)
    asks = is_question(noticed.utterance, noticed.told.policy)
    if name in ("finish", "remove") and ((asks and not reading.scene.opening) or (name == "finish" and negated)):
        return False  # "did you delete it?"
    if name in ("finish", "remove") and leaves_out(words, noticed.told.policy):
        return False
    if name == "remove" and negated and _denies_removal(noticed):
        return False
    if name == "undo" and (noticed.told.dates or any(word.isdigit() for word in words)):
        return False  # whoever says when, or how many, does not only take something back
    if name in ("change", "add") and reports_today(noticed):
        return False
    doubted = share < (_BEYOND_DOUBT if noticed.begun else _FIRST_BEYOND_DOUBT)
    if doubted and name in _CHANGES and len(unexplained(noticed)) > _MOST_IN_PASSING:
        return False  # somebody tells something, and a few of the words are also in a title
    if doubted and not _fits_beginning(name, noticed, share, asks=asks, negated=negated):
        return False
    frame = reading.frames[0].frame if reading.frames else None
    effect = catalogue.by_intent[frame.intent].effect if frame else name
    loose = frame is not None and frame.weak and name != "add"
    return effect == name or loose or name in ("undo", "redo") or share >= _BEYOND_DOUBT


def _is_guarded(name: str, noticed: Noticed, share: float) -> bool:
    guard = noticed.weighed.reading.guard
    if guard is None:
        return False
    if name == "read":  # "where is my phone", though a phone is to be set up
        return guard[0] in _STOP or guard[0] is Reason.NOT_ABOUT_TASKS
    return guard[0] in _STOP or share < _BEYOND_DOUBT


def _is_not_meant(name: str, noticed: Noticed, share: float) -> bool:
    """What its words rule out, however likely everything together makes it."""
    policy, words = noticed.told.policy, noticed.weighed.reading.scene.words
    if name in _CHANGES and _adds_something_to_do(noticed):
        return True  # "add let the dog out, high", and a task is called "Walk the dog"
    if name in ("undo", "redo"):
        return bool(words) and "wh" in policy.word_classes.get(words[0], ())  # "which is the first?"
    if name == "finish" and policy.lexicon.says("still_to_come", words) and not noticed.has_cue("undo"):
        return True  # "she will be phoned by Tim"
    if name == "finish" and policy.lexicon.says("done_to_us", words) and not noticed.has_cue("done"):
        return True  # "Mrs Okafor phoned me again"
    if name == "finish":
        return not noticed.begun and not _reports(noticed, share)  # "milk"
    if name == "add":
        return not noticed.begun and share < _LIKELY_LATE
    if name == "add" and noticed.shift and any(each.named for each in noticed.mentioned):
        return not noticed.has_cue("add")  # "intervals half an hour earlier"
    if name == "change" and asks_what(noticed.utterance, policy):
        return True
    if name == "change" and policy.lexicon.says("everything", words):
        return True  # "move everything from Friday to Monday" is about no single one
    sure = _SURE_REMOVAL if noticed.begun else _SURE
    return name == "remove" and share < (_LIKELY_REMOVAL if noticed.has_cue(*NEED_CUE[name]) else sure)


_LIKELY_REMOVAL, _SURE_REMOVAL = 0.6, 0.95
"""Where a word asks for it, and where none does in the middle of a conversation: "the dog wants out"."""


def _adds_something_to_do(noticed: Noticed) -> bool:
    """Whether a word that means nothing but adding comes first, and then a verb."""
    scene, policy = noticed.weighed.reading.scene, noticed.told.policy
    begins = max(policy.lexicon.ends("adds_only", scene.words, scene.opening), default=0)
    if not begins or begins >= len(scene.words) or noticed.has_cue("note"):
        return False
    return is_chore(scene.words[begins], policy)


def _denies_removal(noticed: Noticed) -> bool:
    """ "leave the oven, don't delete it"."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return any(
        "negation" in classes.get(words[first - 1], ()) for name, first, _ in noticed.cues if name == "off" and first
    )


def _fits_beginning(name: str, noticed: Noticed, share: float, *, asks: bool, negated: bool) -> bool:
    """What the first message of a conversation must have of its own: words that ask, that finish or that remove."""
    left = len(unexplained(noticed))
    wanting = any(cue == "show" or cue.startswith("ask") for cue, _, _ in noticed.cues)
    if noticed.begun:
        return name != "read" or left <= (_MOST_LEFT if wanting else 1)
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    is_named = any(each.named for each in noticed.mentioned)
    if name == "read":
        unlikely = share < _LIKELY_NAMED and _share_by_words(name, noticed) < _WORDS_AGREE
        states = any(name.startswith("status_") for word in words for name in classes.get(word, ()))
        if unlikely and left and not is_named and not (states and "show" in classes.get(words[0], ())):
            return False  # whoever begins by asking about the weather is not asked back
        if not left and share >= _LIKELY_REPORT and noticed.told.dates:
            return True  # "friday"
        wondering = wanting or any("wh" in classes.get(word, ()) for word in words)
        return left <= 1 and (asks or (wondering and not negated))  # "list the planets of the solar system"
    if name == "remove":
        return is_named and left <= _MOST_LEFT and noticed.has_cue(*NEED_CUE[name])  # "turn the light off"
    return True


def _reports(noticed: Noticed, share: float) -> bool:
    """Whether a first message says that something is done: the bare name of a task reports nothing."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    named = {place for each in noticed.mentioned for place in each.places}
    other = [word for place, word in enumerate(words) if place not in named and "det" not in classes.get(word, ())]
    marked = any(unicodedata.category(sign).startswith("S") for sign in noticed.utterance.text)  # "groceries ✅"
    likely = share >= (_LIKELY_REPORT if marked else _BEYOND_ANY_DOUBT) and (marked or len(other) > 1)  # "I like milk"
    return likely or noticed.has_cue(*NEED_CUE["finish"])


def may_act(name: str, share: float, noticed: Noticed) -> bool:
    """Whether it is sure enough to be done unasked. The first message of a conversation needs more: all that speaks
    for it then are its own words, so that none of them may be left without a part in it."""
    agreed = noticed.begun or _share_by_words(name, noticed) >= _WORDS_AGREE
    if name == "read":
        likely = share >= _SURE_TO_LOOK and (noticed.begun or _begins_by_asking(noticed, share, agreed=agreed))
        return likely and share >= noticed.told.policy.thresholds.act - _HARMLESS
    if name == "add":
        return _may_add(share, noticed, agreed=agreed)
    if not (agreed or share >= _CERTAIN):
        return False
    if name == "change" and noticed.begun and share >= _LIKELY_LATE and puts_day_right(noticed):
        return True
    left = len(unexplained(noticed))  # a story touches many a task
    if name == "change" and noticed.begun and not left and noticed.told.dates and _names_whole(noticed):
        return share >= max(_LIKELY_REPORT, noticed.told.policy.thresholds.act)  # "walk the dog tonight at 9"
    most = 2 * _MOST_LEFT if noticed.has_cue("correct") and noticed.has_cue("move") else _MOST_LEFT
    if name == "finish" and not any(each.named for each in noticed.mentioned):
        if _is_of_later(noticed):
            return False  # "that's Friday sorted then"
        if not _points_at_something(noticed):
            most = 0  # "the train's packed", right after something else was spoken of, says nothing of that
    whole = left <= most if noticed.begun else not left and any(each.named for each in noticed.mentioned)
    return whole and _is_sure(share, noticed)


def _may_add(share: float, noticed: Noticed, *, agreed: bool) -> bool:
    dated = bool(noticed.told.dates)
    agreed = agreed or (share >= _DATED_TO_BEGIN and is_dated_chore(noticed))
    if not (agreed or share >= _CERTAIN):
        return False
    plainly = says_to_add(noticed.weighed.reading, noticed.told.policy)[1] and share >= _LIKELY_NAMED
    if noticed.begun:
        return plainly or (share >= _SURE_TO_ADD and _is_sure(share, noticed))
    whole = noticed.utterance.own_text.strip() == noticed.utterance.text.strip()
    least = _CERTAIN if not whole else _DATED_TO_BEGIN if dated or plainly else _SURE_TO_BEGIN
    # A clause has no say of its own, unless it says when.
    return (whole or dated) and share >= least and (plainly or _is_sure(share, noticed))


def _is_of_later(noticed: Noticed) -> bool:
    today = noticed.told.context.now.date().isoformat()
    return any(date.has_day and date.value[: len(today)] > today for date in noticed.told.dates)


def _points_at_something(noticed: Noticed) -> bool:
    """With a word for it: the "this" of "this morning" is none."""
    if not noticed.points:
        return False
    words, tokens = noticed.weighed.reading.scene.words, noticed.utterance.tokens
    days = date_spans(noticed.told.dates, noticed.utterance)
    return any(
        noticed.told.policy.lexicon.among(POINTING, words, place)
        for place in range(len(words))
        if not inside(tokens[place], days)
    )


def _is_sure(share: float, noticed: Noticed) -> bool:
    """Asked last, where its answer counts: an edit of the threshold is tried on what was compared with it."""
    return share >= _SURE and share >= noticed.told.policy.thresholds.act


def _begins_by_asking(noticed: Noticed, share: float, *, agreed: bool) -> bool:
    """Whether a first message surely asks us: "when is my order coming" may be said to anybody, though something is to
    be ordered; the words alone, or all of a name, make sure of it."""
    left = len(unexplained(noticed))
    if share >= _BEYOND_ANY_DOUBT and left <= _MOST_LEFT and any(each.named for each in noticed.mentioned):
        return True
    only_partly = not _names_whole(noticed) and (left > 0 or bool(noticed.mentioned))
    if only_partly and share < _CERTAIN and _share_by_words("read", noticed) < _WORDS_SAY:
        return False
    shown = agreed or (share >= _SURE and noticed.has_cue("show"))  # "mi fai vedere la lista?"
    return (shown and not left) or _asks_plainly(noticed, share, left)


def is_dated_chore(noticed: Noticed) -> bool:
    """ "friday paint the fence", "chiamare Ugo sabato"."""
    if not noticed.told.dates:
        return False
    spans, words = date_spans(noticed.told.dates, noticed.utterance), noticed.weighed.reading.scene.words
    said = [place for place, token in enumerate(noticed.utterance.tokens) if not inside(token, spans)]
    after_day = bool(said) and said[0] > 0 and is_chore(words[said[0]], noticed.told.policy)  # "friday paint the fence"
    return after_day or _CHORE_FIRST in [thing.name for thing in noticed.things]


def _asks_plainly(noticed: Noticed, share: float, left: int) -> bool:
    """A first message that surely asks for a day or a level, for what is late or done, or for something stored; the
    more words have no part in it, the surer it must be."""
    if left > _MOST_UNKNOWN:
        return False
    if left > 1:
        return share >= _CERTAIN and bool(noticed.told.dates)
    if _names_whole(noticed):
        return share >= _LIKELY_NAMED
    if max(holds("late", noticed), holds("done", noticed)) >= _LIKELY_LATE or noticed.level:
        return share >= _LIKELY_NAMED  # hardly anybody asks for these of anything but a list
    if noticed.told.dates and (not left or noticed.has_cue("show")):
        return share >= _LIKELY_REPORT  # "friday", and nothing else
    if noticed.mentioned or noticed.told.dates:
        return share >= _SURE
    return False


def _names_whole(noticed: Noticed) -> bool:
    return any(each.named and each.fit >= _WHOLE for each in noticed.mentioned)


def _share_by_words(effect: str, noticed: Noticed) -> float:
    """What the words alone give to the intents with this effect."""
    catalogue = noticed.told.policy.catalogue
    return sum(
        share
        for intent, share, _ in noticed.weighed.scores
        if (facts := catalogue.by_intent.get(intent)) and facts.effect == effect
    )


def is_grounded(noticed: Noticed) -> bool:
    """Whether something stored is plainly named, or something was said before: else a move is at most offered."""
    named = any(each.named for each in noticed.mentioned)
    return named or bool(noticed.told.context.history) or noticed.told.context.pending is not None
