"""What a message does, weighed by everything noticed; then what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.decision import Act, Factor, IntentScore, Reason
from engine.outcome.judging import offer
from engine.outcome.values import Outcome
from engine.policy.talk_weights import ANSWERS, NOTHING, TalkWeights
from engine.policy.weights import probabilities
from engine.reading.questions import begins_as_one, is_question
from engine.talking.adds import adding
from engine.talking.adds.other_errands import asks_to_add, is_other_errand
from engine.talking.adds.regions import is_list
from engine.talking.basis import Basis
from engine.talking.days.choosing_dates import puts_day_right
from engine.talking.lists import looking
from engine.talking.moves import settling
from engine.talking.moves.certainty import NEED_CUE, is_dated_chore, is_grounded, may_act, may_be_heard
from engine.talking.moves.noticed import Noticed, Thing, holds
from engine.talking.names.pointing import unexplained
from engine.talking.ways import undoing
from engine.talking.ways.told_past import reports_today, tells_hour_to_come

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
_ONLY_WITH_CUE = frozenset({"undo", "redo"})
_SURE_WITHOUT_CUE = 0.9
_JUST_BELOW = 0.01
_LIST_OF_LINES = 0.85
_WITHOUT_GROUND = 0.6

"""From this share on a move is offered where neither store nor conversation says anything."""
_DATED_CHORE = 0.5
"""The same for something to do, with its day: "book window cleaner for Monday"."""
_NEARLY = 0.2
"""So much less than the threshold of reading will do where everything is weighed together."""
_OUTVOTES, _HARDLY_OWN = 0.8, 0.05
"""From this share on a move outvotes a way of saying whose own share is hardly anything."""
_HARDLY, _MAY_BE, _SURELY = 0.1, 0.15, 0.9
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
    things = noticed.things
    shares = weights.shares(things)
    pending = noticed.told.context.pending
    if pending is None or pending.kind != "confirm":
        kept = [0.0 if move in ANSWERS else share for move, share in zip(weights.moves, shares, strict=True)]
        total = sum(kept)
        shares = tuple([share / total for share in kept])
    return Shares(things, shares, tuple(sorted(range(len(shares)), key=shares.__getitem__, reverse=True)))


def is_outvoted(effect: str, noticed: Noticed, shares: Shares | None) -> bool:
    """Whether everything together says something else than this effect, beyond doubt."""
    moves = noticed.told.policy.talk.moves
    if shares is None or effect not in moves:
        return False
    best, own = shares.order[0], shares.of[moves.index(effect)]
    return moves[best] != effect and shares.of[best] >= _OUTVOTES and own < _HARDLY_OWN


def may_ask(noticed: Noticed, shares: Shares | None) -> bool:
    """Whether the message may as well be a question."""
    moves = noticed.told.policy.talk.moves
    return shares is not None and shares.of[moves.index("read")] >= _MAY_BE


def move(noticed: Noticed, least: float, weighing: Shares | None) -> tuple[Outcome, ...] | None:
    """What comes of the likeliest move; None where that is to do nothing, or nothing is likely enough."""
    weights = noticed.told.policy.talk
    if weighing is None:
        return None
    if is_list(noticed.utterance):
        sure = Basis(
            "move:list of lines", "request", _LIST_OF_LINES, (Factor("a list of lines", _LIST_OF_LINES),), 0, 0
        )
        return adding.add(noticed, sure)
    shares, order = weighing.of, _order(noticed, weighing)
    winner = order[0]
    wanted = is_grounded(noticed) or share_of_nothing(noticed, weighing) < _HARDLY
    ground = _DATED_CHORE if is_dated_chore(noticed) else _WITHOUT_GROUND
    least = least if wanted else ground
    if weights.moves[winner] in (NOTHING, *ANSWERS) or not _reaches(shares[winner], least, noticed):
        return None
    name = weights.moves[winner]
    if not (_asks_whether(name, noticed) or may_be_heard(name, noticed, shares[winner])):
        return None
    basis, acts = _how_sure(name, noticed, weighing, order)
    if name in NEED_CUE and not noticed.has_cue(*NEED_CUE[name]):
        if name in _ONLY_WITH_CUE and (shares[winner] < _SURE_WITHOUT_CUE or unexplained(noticed)):
            return None  # it cannot be offered, and "can't win them all" after a deletion asks for nothing
        basis = _only_offered(basis, noticed)
    made = _make(name, noticed, basis)
    if made and shares[winner] < _WORTH_ASKING and ((name == "read" and not acts) or all(map(_is_mere_guess, made))):
        return None
    if made and name == "read" and not acts:
        told = noticed.told  # to look something up is harmless, but whoever talks about the weather wants no list
        return tuple(offer(each, each.call, told.context, told.policy) if each.call else each for each in made)
    return made


def guess(noticed: Noticed, weighing: Shares) -> tuple[Outcome, ...] | None:
    """What the likeliest change comes to, whatever speaks against hearing it: only to be offered."""
    order, moves = _order(noticed, weighing), noticed.told.policy.talk.moves
    reported = reports_today(noticed) and not tells_hour_to_come(noticed)
    if moves[order[0]] in _NOT_OF_TODAY and reported:
        order = (order[1], order[0], *order[2:])  # "the insurance papers have come this morning"
    name = moves[order[0]]
    if name not in _GUESSED or (name in _NOT_OF_TODAY and reported):
        return None
    if name == "remove" and not noticed.has_cue(*NEED_CUE[name]):
        return None  # "the dog wants out" takes nothing off the list
    basis = _only_offered(_basis(name, noticed, weighing, order[1]), noticed)
    made = _make(name, noticed, basis)
    notes = not made and name == "change" and holds("note", noticed) >= _LIKELY_NOTE
    return settling.note_down(noticed, basis) if notes else made


_LIKELY_NOTE = 0.5
_GUESSED = frozenset({"add", "change", "finish", "remove"})
_NOT_OF_TODAY = frozenset({"add", "change"})


def _basis(name: str, noticed: Noticed, weighing: Shares, rival: int) -> Basis:
    """What a move comes from: its share, and the strongest things that speak for it beside the next likely move."""
    weights, scene = noticed.told.policy.talk, noticed.weighed.reading.scene
    place = weights.moves.index(name)
    share = weighing.of[place]
    return Basis(
        f"move:{name}",
        _ACTS.get(name, "request"),
        round(share, _DIGITS),
        _ledger(weighing.things, weights, place, rival, share),
        0,
        scene.stop,
        scores=_scores(noticed, dict(zip(weights.moves, weighing.of, strict=True))),
    )


def _order(noticed: Noticed, weighing: Shares) -> tuple[int, ...]:
    """The likeliest first; but where something is wanted, and a list is not asked for in so many words ("pottery class
    Thursday"), what comes after the list."""
    first, second, *others = weighing.order
    moves = noticed.told.policy.talk.moves
    if noticed.begun and moves[first] != "change" and puts_day_right(noticed):  # "no wait, Friday, on Saturday I'm out"
        change = moves.index("change")
        return (change, *(each for each in weighing.order if each != change))
    reads = noticed.told.policy.talk.moves[first] == "read"
    if not reads or share_of_nothing(noticed, weighing) >= _HARDLY:
        return weighing.order
    return weighing.order if may_be_heard("read", noticed, weighing.of[first]) else (second, first, *others)


def _make(name: str, noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    if name == "change" and asks_to_add(noticed):
        name, basis = "add", basis._replace(name="move:add")
    elif name == "change" and is_other_errand(noticed):
        name, basis = "add", _only_offered(basis._replace(name="move:add"), noticed)
    if name == "undo" and noticed.shift and noticed.shift.days:
        name = "change"  # "put it back a week"
    if name == "finish" and begins_as_one(noticed.weighed.reading.scene.words, noticed.told.policy):
        return looking.tell_state(noticed, basis)
    if _asks_whether(name, noticed):
        return looking.tell_state(noticed, basis)
    made = _MAKERS[name](noticed, basis)
    told = noticed.told
    if made and name == "add" and len(made) == 1 and made[0].call and _is_one_word(made[0], noticed):
        return (offer(made[0], made[0].call, told.context, told.policy),)
    return made


def _how_sure(name: str, noticed: Noticed, weighing: Shares, order: tuple[int, ...]) -> tuple[Basis, bool]:
    """What the likeliest move comes from, and whether that is enough to make it unasked."""
    place, rival = order[:2]
    share = weighing.of[place]
    basis = _basis(name, noticed, weighing, rival)
    if may_act(name, share, noticed):
        return basis, True
    if name == "read" and _asks_whether("finish", noticed):
        # "Piero I phoned or not": without its end it would be told as done, and that speaks for the question, too.
        told = round(weighing.of[noticed.told.policy.talk.moves.index("finish")], _DIGITS)
        both = (*basis.ledger, Factor("asked, or told as done", told))
        if share + told >= _SURELY:
            return basis._replace(confidence=round(basis.confidence + told, _DIGITS), ledger=both), True
    return _only_offered(basis, noticed), False


def _asks_whether(name: str, noticed: Noticed) -> bool:
    """ "did I phone Piero or not": nothing is finished by that."""
    named = any(each.named and each.fit == 1.0 for each in noticed.mentioned)
    return name == "finish" and named and is_question(noticed.utterance, noticed.told.policy)


def _is_one_word(outcome: Outcome, noticed: Noticed) -> bool:
    """ "there's the bell, must dash": one word, without a day and after no word for adding, may be anything; unless a
    household runs out of it."""
    facts = noticed.told.policy.catalogue.by_intent.get(outcome.intent)
    values = outcome.call.parameters if outcome.call and facts else {}
    title = tuple(str(values.get(facts.argument("name"), "")).lower().split()) if facts else ()
    if outcome.action != "execute" or len(title) != 1 or len(values) != 1:
        return False
    scene, lexicon = noticed.weighed.reading.scene, noticed.told.policy.lexicon
    return not lexicon.ends("supply", title, 0) and not lexicon.ends("adds_only", scene.words, scene.opening)


_WORTH_ASKING = 0.5


def _reaches(share: float, least: float, noticed: Noticed) -> bool:
    """The threshold is asked only where its answer counts: an edit of it is tried on what was compared with it."""
    return share >= least and share >= noticed.told.policy.thresholds.read - _NEARLY


def _is_mere_guess(outcome: Outcome) -> bool:
    """Whether neither what is done nor what it is done to was said: "today nobody comes" moves nothing."""
    guessed = [each.candidates[0].how == "fuzzy" for each in outcome.references if each.candidates]
    return outcome.reason is Reason.UNCERTAIN_TARGET and bool(guessed) and all(guessed)


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
    weighed = [(thing, vector) for thing in things if (vector := weights.weights.get(thing[0]))]
    counts = [abs((vector[winner] - vector[rival]) * thing[1]) for thing, vector in weighed]
    strongest = sorted(range(len(weighed)), key=counts.__getitem__, reverse=True)[:_SHOWN]
    running = list(weights.bias)
    reached = probabilities(running)[winner]
    factors = [Factor("before any word", round(reached, _DIGITS))]
    for thing, vector in [weighed[which] for which in strongest]:
        running = [total + weight * thing.value for total, weight in zip(running, vector, strict=True)]
        before, reached = reached, probabilities(running)[winner]
        factors.append(Factor(thing.name, round(reached - before, _DIGITS), thing.span))
    told = sum(factor.amount for factor in factors)  # as rounded: all of them add up to the share and never beyond it
    factors.append(Factor("other things", round(round(share, _DIGITS) - told, _DIGITS)))
    return tuple(factors)
