"""What a message does, weighed by everything noticed; then what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.decision import Act, Factor, IntentScore, Reason
from engine.outcome.judging import offer
from engine.outcome.values import Outcome
from engine.policy.talk_weights import ANSWERS, NOTHING, TalkWeights
from engine.policy.weights import probabilities
from engine.talking import adding, looking, settling, undoing
from engine.talking.basis import Basis
from engine.talking.noticing import Noticed, Thing, list_things
from engine.talking.pointing import unexplained

_SHOWN = 6
_DIGITS = 6
_Make = Callable[[Noticed, Basis], tuple[Outcome, ...] | None]
_MAKERS: Mapping[str, _Make] = {
    "add": adding.add,
    "read": looking.look,
    "change": settling.change,
    "finish": settling.finish,
    "remove": settling.remove,
    "undo": undoing.take_back,
    "redo": undoing.make_again,
}
_NEED_CUE: Mapping[str, tuple[str, ...]] = {
    "undo": ("undo",),
    "redo": ("redo",),
    "finish": ("done",),
    "remove": ("off",),
}
"""Words without which a move is only offered, never made."""
_ONLY_WITH_CUE = frozenset({"undo", "redo"})
_JUST_BELOW = 0.01
_LIST_OF_LINES = 0.85
_WITHOUT_GROUND = 0.6
"""From this share on a move is offered where neither store nor conversation says anything."""
_SURE = 0.93
"""From this share on a change is made unasked."""
_SURE_TO_LOOK = 0.65
"""Looking something up changes nothing: less will do."""
_HARMLESS = 0.1
"""So much less sure than a change, too, wherever the threshold of acting stands."""
_NEARLY = 0.05
"""So much less than the threshold of reading will do where everything is weighed together."""
_MOST_LEFT = 2
"""Words without a part in it that a question or a report may have in the middle of a conversation."""
_BEYOND_DOUBT = 0.9
"""From this share on a first message needs nothing more to be heard."""
_WORDS_AGREE = 0.25
"""What the words alone must give to what is done about a first message: they know what other assistants are asked."""
_CERTAIN = 0.97
_WHOLE = 0.8
"""So much of a title leaves no doubt that it is spoken of."""
_LIKELY_REPORT = 0.7
_OUTVOTES, _HARDLY = 0.8, 0.1
"""From this share on a move outvotes a way of saying whose own share is hardly anything."""
_ACTS: Mapping[str, Act] = {"undo": "undo", "redo": "redo"}


class Shares(NamedTuple):
    """How likely each move is, by everything noticed."""

    things: tuple[Thing, ...]
    of: tuple[float, ...]
    """In the order of the moves that were learned."""
    order: tuple[int, ...]
    """Places of the moves, the likeliest first."""


def weigh_moves(noticed: Noticed) -> Shares | None:
    """None where nothing was learned. Only a question can be answered."""
    weights = noticed.told.policy.talk
    if not weights.moves:
        return None
    things = list_things(noticed)
    shares = weights.shares((thing.name, thing.value) for thing in things)
    pending = noticed.told.context.pending
    if pending is None or pending.kind != "confirm":
        kept = [0.0 if move in ANSWERS else share for move, share in zip(weights.moves, shares, strict=True)]
        total = sum(kept)
        shares = tuple(share / total for share in kept)
    return Shares(things, shares, tuple(sorted(range(len(shares)), key=shares.__getitem__, reverse=True)))


def is_outvoted(effect: str, noticed: Noticed, shares: Shares | None) -> bool:
    """Whether everything together says something else than this effect, beyond doubt."""
    moves = noticed.told.policy.talk.moves
    if shares is None or effect not in moves:
        return False
    best = shares.order[0]
    return moves[best] != effect and shares.of[best] >= _OUTVOTES and shares.of[moves.index(effect)] < _HARDLY


def move(noticed: Noticed, least: float, weighing: Shares | None) -> tuple[Outcome, ...] | None:
    """What comes of the likeliest move; None where that is to do nothing, or nothing is likely enough."""
    weights = noticed.told.policy.talk
    if weighing is None:
        return None
    if adding.is_list(noticed.utterance):
        sure = Basis(
            "move:list of lines", "request", _LIST_OF_LINES, (Factor("a list of lines", _LIST_OF_LINES),), 0, 0
        )
        return adding.add(noticed, sure)
    things, shares, order = weighing
    winner = order[0]
    least = max(least if _is_grounded(noticed) else _WITHOUT_GROUND, noticed.told.policy.thresholds.read - _NEARLY)
    if weights.moves[winner] in (NOTHING, *ANSWERS) or shares[winner] < least:
        return None
    name = weights.moves[winner]
    if not _is_allowed(name, noticed, shares[winner]):
        return None
    basis = Basis(
        f"move:{name}",
        _ACTS.get(name, "request"),
        round(shares[winner], _DIGITS),
        _ledger(things, weights, winner, order[1], shares[winner]),
        0,
        noticed.weighed.reading.scene.stop,
        scores=_scores(noticed, dict(zip(weights.moves, shares, strict=True))),
    )
    if not _may_act(name, shares[winner], noticed):
        basis = _only_offered(basis, noticed)
    if name in _NEED_CUE and not noticed.has_cue(*_NEED_CUE[name]):
        if name in _ONLY_WITH_CUE:
            return None
        basis = _only_offered(basis, noticed)
    made = _MAKERS[name](noticed, basis)
    if made and name == "read" and not _may_act(name, shares[winner], noticed):
        told = noticed.told  # to look something up is harmless, but whoever talks about the weather wants no list
        return tuple(offer(each, each.call, told.context, told.policy) if each.call else each for each in made)
    return made


_STOP = (Reason.NEGATED, Reason.HYPOTHETICAL)


def _is_allowed(name: str, noticed: Noticed, share: float) -> bool:
    """A denial, a condition or a question changes nothing, and what asks to finish something adds nothing."""
    reading, catalogue = noticed.weighed.reading, noticed.told.policy.catalogue
    if reading.guard and (reading.guard[0] in _STOP or name != "read"):
        return False
    words, classes = reading.scene.words, noticed.told.policy.word_classes
    negated = any("negation" in classes.get(word, ()) for word in words)
    asks = "?" in noticed.utterance.text
    if name in ("finish", "remove") and ((asks and not reading.scene.opening) or (name == "finish" and negated)):
        return False  # "did you delete it?"
    if name == "undo" and noticed.told.dates:
        return False  # whoever says when does not only take something back
    if share < _BEYOND_DOUBT and not _fits_beginning(name, noticed, share, asks=asks, negated=negated):
        return False
    frame = reading.frames[0].frame if reading.frames else None
    effect = catalogue.by_intent[frame.intent].effect if frame else name
    return effect == name or (frame is not None and frame.weak and name != "add") or name in ("undo", "redo")


def _fits_beginning(name: str, noticed: Noticed, share: float, *, asks: bool, negated: bool) -> bool:
    """What the first message of a conversation must have of its own: words that ask, that finish or that remove."""
    left = len(unexplained(noticed))
    wanting = any(cue == "show" or cue.startswith("ask") for cue, _, _ in noticed.cues)
    if noticed.begun:
        return name != "read" or left <= (_MOST_LEFT if wanting else 1)
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    if name == "read":
        wondering = wanting or any("wh" in classes.get(word, ()) for word in words)
        return left <= 1 and (asks or (wondering and not negated))  # "list the planets of the solar system"
    if name == "finish":  # the bare name of a task reports nothing
        named = {place for each in noticed.mentioned for place in each.places}
        other = [word for place, word in enumerate(words) if place not in named and "det" not in classes.get(word, ())]
        return noticed.has_cue(*_NEED_CUE[name]) or (len(other) > 1 and share >= _LIKELY_REPORT)  # "I like milk"
    if name == "remove":
        is_named = any(each.named for each in noticed.mentioned)
        return is_named and left <= _MOST_LEFT and noticed.has_cue(*_NEED_CUE[name])  # "turn the light off"
    return True


def share_of_nothing(noticed: Noticed, weighing: Shares | None) -> float:
    """How surely everything noticed says that nothing is wanted."""
    return weighing.of[noticed.told.policy.talk.moves.index(NOTHING)] if weighing else 0.0


def _only_offered(basis: Basis, noticed: Noticed) -> Basis:
    """Below the threshold at which things are done, with a line of the ledger that says so."""
    most = noticed.told.policy.thresholds.act - _JUST_BELOW
    if basis.confidence < noticed.told.policy.thresholds.act:
        return basis
    reached = sum(factor.amount for factor in basis.ledger)
    less = Factor("likely, not sure", round(most - reached, _DIGITS))
    return basis._replace(confidence=round(reached + less.amount, _DIGITS), ledger=(*basis.ledger, less))


def _may_act(name: str, share: float, noticed: Noticed) -> bool:
    """Whether it is sure enough to be done unasked. The first message of a conversation needs more: all that speaks
    for it then are its own words, so that none of them may be left without a part in it."""
    agreed = noticed.begun or _share_by_words(name, noticed) >= _WORDS_AGREE
    if name == "read":
        surely = share >= max(_SURE_TO_LOOK, noticed.told.policy.thresholds.act - _HARMLESS)
        left = len(unexplained(noticed))
        return surely and (noticed.begun or (agreed and not left) or _asks_plainly(noticed, share, left))
    if not (agreed or share >= _CERTAIN):
        return False
    sure = share >= max(_SURE, noticed.told.policy.thresholds.act)
    if name == "add":
        return sure and noticed.begun
    left = len(unexplained(noticed))  # a story touches many a task
    return sure and (
        left <= _MOST_LEFT if noticed.begun else not left and any(each.named for each in noticed.mentioned)
    )


def _asks_plainly(noticed: Noticed, share: float, left: int) -> bool:
    """A first message that surely asks for a day or a level, or for something stored whose name it says."""
    if any(each.named and each.fit >= _WHOLE for each in noticed.mentioned):
        return share >= _OUTVOTES and left <= 1
    return share >= _CERTAIN and bool(noticed.told.dates or noticed.level) and left <= 1


def _share_by_words(effect: str, noticed: Noticed) -> float:
    """What the words alone give to the intents with this effect."""
    catalogue = noticed.told.policy.catalogue
    return sum(
        share
        for intent, share, _ in noticed.weighed.scores
        if (facts := catalogue.by_intent.get(intent)) and facts.effect == effect
    )


def _is_grounded(noticed: Noticed) -> bool:
    """Whether something stored is plainly named, or something was said before: else a move is at most offered."""
    named = any(each.named for each in noticed.mentioned)
    return named or bool(noticed.told.context.history) or noticed.told.context.pending is not None


def _scores(noticed: Noticed, shares: Mapping[str, float]) -> tuple[IntentScore, ...]:
    """The shares of the moves as those of the intents whose tools make them."""
    catalogue = noticed.told.policy.catalogue
    told = {
        tool.intent: shares.get(tool.effect, 0.0)
        for tool in catalogue.tools
        if tool.effect != "read" or tool.intent in catalogue.lists
    }
    return tuple(
        IntentScore(intent, told.get(intent, shares.get(NOTHING, 0.0) if place == catalogue.unknown else 0.0))
        for place, intent in enumerate(catalogue.intents)
    )


def _ledger(
    things: tuple[Thing, ...], weights: TalkWeights, winner: int, rival: int, share: float
) -> tuple[Factor, ...]:
    """The strongest things, each with what it changed; the rest in one line. They add up to the share."""
    weighed = [(thing, vector) for thing in things if (vector := weights.weights.get(thing.name))]
    weighed.sort(key=lambda each: -abs((each[1][winner] - each[1][rival]) * each[0].value))
    running = list(weights.bias)
    reached = probabilities(running)[winner]
    factors = [Factor("before any word", round(reached, _DIGITS))]
    for thing, vector in weighed[:_SHOWN]:
        running = [total + weight * thing.value for total, weight in zip(running, vector, strict=True)]
        before, reached = reached, probabilities(running)[winner]
        factors.append(Factor(thing.name, round(reached - before, _DIGITS), thing.span))
    factors.append(Factor("other things", round(share - reached, _DIGITS)))
    return tuple(factors)
