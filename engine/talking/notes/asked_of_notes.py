"""Questions that only a note can answer: "how much is the boiler service?", "who do I ask for at the landlord's?"."""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN
from engine.decision import Candidate, Factor, Reference
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.questions import is_question
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.lists.narrowing import list_tool
from engine.talking.moves.noticed import Noticed
from engine.talking.names.mentions import MentionedTask
from engine.talking.names.naming import content_words
from engine.talking.ways.asking import tell, wonders
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Span, Task

_SURE = 0.85
_COUNTS = "count"


def tell_from_note(noticed: Noticed, instead_of: tuple[Outcome, ...]) -> tuple[Outcome, ...] | None:
    """The note of the one thing that a question names, where nothing else comes of it but a count or a mere list.

    To tell somebody what they wrote down harms nobody. None where there is no note, or no question."""
    told, facts = noticed.told, list_tool(noticed.told)
    if facts is None or noticed.weighed.reading.guard or not wonders(told):
        return None
    if not all(_says_little(each, noticed) for each in instead_of) or _asks_for_tasks(noticed):
        return None
    found = _named_with_note(noticed) or _found_in_note(noticed) or _spoken_of_with_note(noticed)
    if found is None:
        return None
    task, span, fit = found
    reference = Reference(noticed.utterance.slice(span), span, (Candidate(task.id, fit, "partial"),), task.id)
    search = Argument(facts.argument("search"), task.title, Provenance("store", span, "the title"))
    basis = Basis(
        "store:its note", "ask", _SURE, (Factor("a question about something that has a note", _SURE, span),), 0, 0
    )
    outcome = judge_with(basis, facts, Draft(facts.intent, (search,)), None, told)
    return (outcome._replace(references=(reference,), answer=tell(task, "all", told), asks="all"),)


def _named_with_note(noticed: Noticed) -> tuple[Task, Span, float] | None:
    meant = [each for each in noticed.mentioned if not each.slips]
    if len(meant) != 1 or not meant[0].task.description:
        return None
    if not _is_about(meant[0], noticed) and not (meant[0].named and _is_own(noticed)):
        return None
    return meant[0].task, meant[0].span, meant[0].fit


def _spoken_of_with_note(noticed: Noticed) -> tuple[Task, Span, float] | None:
    """ "what's her draught?", "how many lilies was I to order?": of what was just spoken of, the one whose note has a
    word of the question; or the only one with a note, where the question points and names nothing."""
    told, utterance = noticed.told, noticed.utterance
    words, policy = noticed.weighed.reading.scene.words, told.policy
    spoken = [told.context.tasks.find_by_id(each) for each in told.situation.spoken_of[:_MOST]]
    noting = [each for each in spoken if isinstance(each, Task) and each.description]
    asked = set(content_words([word for word in words if _is_asked(word, noticed)], policy))
    fits = [each for each in noting if not asked.isdisjoint(content_words(title_words(each.description), policy))]
    asks = noticed.points and not noticed.mentioned and (is_question(utterance, policy) or _asks_at_once(words, policy))
    alone = [each for each in noting if each.status == policy.catalogue.states[0]] if asks else []
    meant = fits or alone
    return (meant[0], utterance.span(0, len(utterance.tokens)), _SURE) if len(meant) == 1 else None


def _asks_at_once(words: tuple[str, ...], policy: Policy) -> bool:
    """ "what was …", typed without its sign; not "what a day that was", nor "che bello"."""
    first, second = (policy.word_classes.get(word, frozenset()) for word in (*words[:2], "", "")[:2])
    return "wh" in first and "asks_first" in second


def _is_asked(word: str, noticed: Noticed) -> bool:
    return _ASKING.isdisjoint(noticed.told.policy.word_classes.get(word, ()))


def _found_in_note(noticed: Noticed) -> tuple[Task, Span, float] | None:
    """ "where did we say the gas meter is?": the one note, of those written lately, that has all words of the question;
    one word alone would fit too much."""
    told, utterance = noticed.told, noticed.utterance
    words = noticed.weighed.reading.scene.words
    asked = set(content_words([word for word in words if _is_asked(word, noticed)], told.policy))
    if not _FEWEST <= len(asked) <= _MOST:
        return None
    noting = [each for each in told.context.tasks.recent(_LATELY) if each.description]
    fits = [each for each in noting if asked <= set(content_words(title_words(each.description), told.policy))]
    return (fits[0], utterance.span(0, len(utterance.tokens)), _SURE) if len(fits) == 1 else None


_FEWEST, _MOST, _LATELY = 2, 6, 50
_ASKING = frozenset(
    {"wh", "closer", "subject", "telling", "finite", "function", "story_word", "note_verb"}
    | {"past_aux", "past_main", "past_alone"}
)


def _says_little(outcome: Outcome, noticed: Noticed) -> bool:
    """Nothing, a count, a list that is only offered, or one of everything, for words that ask for no list."""
    catalogue = noticed.told.policy.catalogue
    nothing = outcome.action == "reply" and outcome.intent == UNKNOWN
    if nothing or outcome.intent not in catalogue.lists:
        return nothing
    facts = catalogue.by_intent[outcome.intent]
    asked = {each.name for each in outcome.call.arguments} if outcome.call else set()
    everything = asked <= {facts.argument("state_filter")} and noticed.begun and not outcome.answer
    return outcome.asks == _COUNTS or outcome.action == "clarify" or everything


def _asks_for_tasks(noticed: Noticed) -> bool:
    """ "how many dentist tasks do I have?" counts them."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return any(not _ITEMS.isdisjoint(classes.get(word, ())) for word in words)


_ITEMS = frozenset({"item", "items", "list"})


def _is_own(noticed: Noticed) -> bool:
    """ "where do we meet for the choir?", and not "how do boilers work?"."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    return any(not _OWN.isdisjoint(classes.get(word, ())) for word in words)


_OWN = frozenset({"subject", "story_word"})


def _is_about(meant: MentionedTask, noticed: Noticed) -> bool:
    """Whether a word of the question stands in the note ("who do I ask for" and "ask for Simon"), or a figure in the
    note of something that is asked how much it is."""
    policy, words = noticed.told.policy, noticed.weighed.reading.scene.words
    said_in_words = any(word in policy.numbers for word in title_words(meant.task.description))  # "twenty boxes"
    if noticed.has_cue("ask_count") and (said_in_words or any(map(str.isdigit, meant.task.description))):
        return True
    noted = frozenset(content_words(title_words(meant.task.description), policy))
    said = [word for place, word in enumerate(words) if place not in meant.places]
    return not noted.isdisjoint(content_words(said, policy))
