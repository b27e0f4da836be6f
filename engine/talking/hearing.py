"""From a way of saying that fits to what comes of it."""

from __future__ import annotations

from engine.decision import Context, Reason
from engine.outcome.judging import nothing, offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import Weighed
from engine.talking.adds.listed_after_colon import each_listed
from engine.talking.adds.plain_adds import is_bare_order
from engine.talking.adds.pointed_days import add_on_pointed_day
from engine.talking.adds.put_errands import put_errand
from engine.talking.adds.several_added import each_added
from engine.talking.adds.weak_adds import hear_weak_add
from engine.talking.days.made_for_then import make_for_then
from engine.talking.lists.asked_by_parts import ask_by_parts
from engine.talking.lists.asked_words import look_for_asked
from engine.talking.lists.paging import turn_page
from engine.talking.moves.moving import Shares, move, share_of_nothing, weigh_moves
from engine.talking.moves.noticed import Noticed, begun, holds
from engine.talking.moves.noticing import begin, notice
from engine.talking.names.several_named import each_named
from engine.talking.notes.added_notes import adding_intents, adds_with_note
from engine.talking.notes.asked_of_notes import tell_from_note
from engine.talking.notes.noted_after_name import note_after_name
from engine.talking.notes.noted_before import note_said_first
from engine.talking.notes.noted_more import go_on_noting
from engine.talking.notes.noting import drop_note, give_note, read_note
from engine.talking.values import Heard, Told
from engine.talking.ways.asking import wonders
from engine.talking.ways.finding import find_ways
from engine.talking.ways.possible import list_ways
from engine.talking.ways.putting_right import put_right
from engine.talking.ways.told_done import tell_done
from engine.talking.ways.told_instead import told_done_instead
from engine.talking.ways.ways_heard import by_a_way, changes_named, says_more
from engine.talking.ways.worth_looking import may_say_more
from engine.text.normalise import Utterance

_MOST_TRIED = 6


def hear(
    utterance: Utterance, weighed: Weighed, judged: Outcome, context: Context, policy: Policy
) -> tuple[Outcome, ...] | None:
    """What the message comes to by store and conversation; None where its words alone say more (`judged`)."""
    if not utterance.tokens or not (policy.ways or policy.talk.moves):
        return None
    if not begun(context) and _is_for_others(weighed, policy):
        return (nothing(weighed, policy),)
    told = begin(utterance, weighed, context, policy)
    heard = _hear(utterance, weighed, judged, told)
    heard = ask_by_parts(told, heard or (judged,)) or heard
    if (heard or (judged,))[0].intent in policy.catalogue.lists:
        heard = look_for_asked(heard or (judged,), told) or heard
        if wonders(told):
            heard = tell_from_note(notice(utterance, weighed, told), heard or (judged,)) or heard
    instead = told_done_instead(heard or (judged,), told)
    if instead:
        return instead
    if any(each.action in _ACTING for each in heard or (judged,)) or _stands(weighed, judged):
        return heard
    return tell_done(told, heard or ()) or heard


def _is_for_others(weighed: Weighed, policy: Policy) -> bool:
    """What other assistants are asked ("where is my phone"), and not "remind me to ask how I get a new card"."""
    guard, lists = weighed.reading.guard, policy.catalogue.lists
    wanted = any(not each.frame.weak and each.frame.intent not in lists for each in weighed.reading.frames)
    return guard is not None and guard[0] is Reason.NOT_ABOUT_TASKS and not wanted


def _hear(utterance: Utterance, weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    context, policy = told.context, told.policy
    plainly = put_right(told) or _heard_plainly(weighed, judged, told)
    if plainly:
        return plainly
    ways = _find_ways(weighed, told)
    pointed = told.dates != weighed.dates  # "that day": the words alone do not know which
    plain = _is_plain(weighed, judged, policy) and not pointed and not _is_about_several(judged, told)
    in_talk = begun(context) and (judged.intent in policy.catalogue.lists or _renames(judged, policy))
    noted = ":" in utterance.text and judged.intent in adding_intents(policy)
    if plain and not in_talk and not noted and _say_no_more(ways, weighed, told):
        return None
    noticed = notice(utterance, weighed, told)
    shares = weigh_moves(noticed)
    made = by_a_way([each for each in ways if not changes_named(each, judged, told)], weighed, noticed, shares)
    if made or (plain and not _asks_in_talk(judged, noticed) and not adds_with_note(judged, noticed)):
        return made
    made = _by_a_move(noticed, shares, weighed, judged)
    noted_down = tell_from_note(noticed, made or (judged,))
    if noted_down:
        return noted_down
    if made is None and _is_a_guess(weighed, judged, share_of_nothing(noticed, shares)):
        return hear_weak_add(noticed) or (nothing(weighed, policy, _remark(share_of_nothing(noticed, shares))),)
    if made is None and judged.call and _only_by_words(weighed, judged, policy):
        return (offer(judged, judged.call, context, policy),)
    offered = made or (judged,)
    unsure = (noticed.begun or is_bare_order(weighed.reading, policy, dated=bool(told.dates))) and all(
        each.action == "clarify" and each.intent in adding_intents(policy) and each.confidence < _PLAIN
        for each in offered
    )
    return (hear_weak_add(noticed) if unsure or (made is None and judged.action == "reply") else None) or made


def _find_ways(weighed: Weighed, told: Told) -> list[Heard]:
    """The ways of saying that may count for something, the surest first."""
    listed, refused = list_ways(told), dict[int, int]()
    noted = told.policy.lexicon.says("cue_note", weighed.reading.scene.words)
    if not noted and not may_say_more(listed, weighed, told, refused):
        return []
    ways, least = find_ways(told, listed, refused), told.policy.thresholds.read
    return [each for each in ways[:_MOST_TRIED] if each.confidence >= least]


def _say_no_more(ways: list[Heard], weighed: Weighed, told: Told) -> bool:
    """Whether none of the ways would be heard rather than the words alone: then nothing else has to be noticed, but
    where a note is spoken of."""
    return not ways or not (
        told.policy.lexicon.says("cue_note", weighed.reading.scene.words)
        or any(says_more(each, weighed, told) for each in ways)
    )


def _is_about_several(judged: Outcome, told: Told) -> bool:
    """ "get rid of those two": the words alone know one thing at a time."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    return judged.reason in (Reason.AMBIGUOUS_TARGET, Reason.BATCH) and any(
        name in ("cue_two", "cue_three") for place in range(len(words)) for name, _ in lexicon.classes(words, place)
    )


def _heard_plainly(weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """What its form alone makes plain in a conversation: a note after a colon, the next page, several names."""
    if weighed.reading.guard is not None:
        return None
    # Most messages have no word for a note in them, and no colon after which one may stand.
    said = told.policy.lexicon.names(weighed.reading.scene.words)
    noted = ":" in told.reading.utterance.text or not said.isdisjoint(_NOTING)
    return (
        (give_note(told) if noted else None)
        or (note_said_first(told) if noted else None)
        or go_on_noting(told)
        or (drop_note(told) if noted else None)
        or (read_note(told) if noted else None)
        or turn_page(told)
        or put_errand(judged, told)
        or make_for_then(told)
        or add_on_pointed_day(weighed, told)
        or each_listed(told)
        or note_after_name(told)
        or each_added(weighed, judged, told)
        or each_named(weighed, judged, told)
    )


_NOTING = frozenset(
    {"note_word", "note_verb", "note_write", "note_to", "note_here", "note_that", "note_only", "puts_that", "note_put"}
)


def _asks_in_talk(judged: Outcome, noticed: Noticed) -> bool:
    """A list asked for in the middle of a conversation, of what is done or late, or of the last one: single words say
    that less well than everything together. Or "change it to …" about a note, which the words alone take for a name."""
    policy = noticed.told.policy
    notes = _renames(judged, policy) and holds("note", noticed) >= _LIKELY
    lists = judged.intent in policy.catalogue.lists
    kind = lists and max(holds(facet, noticed) for facet in ("done", "late", "keeps", "tells")) >= _LIKELY
    return noticed.begun and (kind or notes)


_LIKELY = 0.5


def _renames(judged: Outcome, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(judged.intent)
    name = facts.argument("name") if facts and facts.effect == "change" else None
    return bool(name and judged.call and name in judged.call.parameters)


def _by_a_move(
    noticed: Noticed, shares: Shares | None, weighed: Weighed, judged: Outcome
) -> tuple[Outcome, ...] | None:
    """What comes of the likeliest move; what is asked for in so many words is not offered instead."""
    made = move(noticed, _LEAST, shares)
    if made and (_names_another(weighed, judged, made) or _adds_by_its_words(judged, made, noticed)):
        return None
    acts = made and any(each.action in _ACTING for each in made)
    found = made and judged.reason in _NOT_FOUND and all(_has_task(each) for each in made)
    both = made and len(made) > 1 and noticed.has_cue("two", "three")  # "get rid of those two"
    return made if acts or found or both or not _stands(weighed, judged) else None


def _names_another(weighed: Weighed, judged: Outcome, made: tuple[Outcome, ...]) -> bool:
    """ "mark the samlon as done, just ordered it": what is asked for in so many words is nearly named there, and "it"
    is that."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == judged.intent), None)
    if judged.reason is not Reason.UNCERTAIN_TARGET or lead is None or lead.weak:
        return False
    named = {candidate.task_id for each in judged.references for candidate in each.candidates}
    return bool(named) and not any(each.task_id in named for outcome in made for each in outcome.references)


def _adds_by_its_words(judged: Outcome, made: tuple[Outcome, ...], noticed: Noticed) -> bool:
    """A first message that asks to add something by its words alone: these know best where its name ends, and that it
    has none ("make me a reminder for Thursday")."""
    adding = adding_intents(noticed.told.policy)
    framed = any(each.frame.intent in adding and not each.frame.weak for each in noticed.weighed.reading.frames)
    known = judged.action == "execute" or (framed and judged.reason is Reason.MISSING_PARAMETER)
    return known and judged.intent in adding and not noticed.begun and all(each.intent in adding for each in made)


_NOT_FOUND = (Reason.NO_TARGET, Reason.BATCH, Reason.MISSING_PARAMETER)


def _has_task(outcome: Outcome) -> bool:
    return any(each.task_id for each in outcome.references)


def _only_by_words(weighed: Weighed, judged: Outcome, policy: Policy) -> bool:
    """Whether something would be finished that nobody said is: single words may offer that, not do it."""
    facts = policy.catalogue.by_intent.get(judged.intent)
    framed = any(each.frame.intent == judged.intent for each in weighed.reading.frames)
    return judged.action == "execute" and facts is not None and facts.effect == "finish" and not framed


_ACTING = ("execute", "confirm")


def _stands(weighed: Weighed, judged: Outcome) -> bool:
    """Whether the words alone come to something: they are acted on, or their way of asking is plain."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == judged.intent), None)
    known = judged.reason is Reason.AMBIGUOUS_TARGET  # the words found several that fit
    return judged.action in _ACTING or known or (judged.action == "clarify" and lead is not None and not lead.weak)


_SAYS_NOTHING = 0.7
_GUESSES = (Reason.NO_TARGET, Reason.MISSING_PARAMETER, Reason.AMBIGUOUS_TARGET, Reason.BATCH)


def _is_a_guess(weighed: Weighed, judged: Outcome, nothing_wanted: float) -> bool:
    """Whether single words alone made a request of it, without a way of asking: then it is not asked about, and not
    done where everything together says that nothing is wanted."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == weighed.intent), None)
    if judged.action == "reply" or (lead is not None and not lead.weak):
        return False
    if lead is not None and any(each.task_id for each in judged.references):
        return False
    unsettled = judged.action == "clarify" and judged.reason in _GUESSES
    return (unsettled and lead is None) or nothing_wanted >= _SAYS_NOTHING


def _remark(nothing_wanted: float) -> str:
    """Why it is taken for a remark; empty where it only asks for nothing that can be made out."""
    return "all that is noticed about it says that nothing is wanted" if nothing_wanted >= _SAYS_NOTHING else ""


_LEAST = 0.35
"""From this share on a move is offered."""
_UNSETTLED = (Reason.NO_TARGET, Reason.MISSING_PARAMETER, Reason.NARROW_MARGIN)
_PLAIN = 0.7
"""From this confidence on the words alone are plain, wherever the threshold for acting stands."""


def _is_plain(weighed: Weighed, judged: Outcome, policy: Policy) -> bool:
    """Whether the words alone ask for something surely enough, and about something that there is."""
    lead = weighed.reading.frames[0].frame if weighed.reading.frames else None
    known = weighed.intent != policy.catalogue.intents[policy.catalogue.unknown]
    if judged.action == "clarify" and judged.reason in _UNSETTLED:
        return False
    return known and lead is not None and not lead.weak and weighed.confidence >= _PLAIN
