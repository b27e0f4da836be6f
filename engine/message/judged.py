"""The requests of a message, each with what comes of it, in their order."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Message, Reference
from engine.message.judged_request import JudgedRequest, hear_request
from engine.message.said_of_new import say_of_new
from engine.outcome.judging import judge, nothing
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.talking.names.mentions import find_mentioned, told_as_limit
from engine.text.folding import title_words
from engine.text.normalise import Utterance


def is_nothing(outcome: Outcome) -> bool:
    return outcome.action == "reply" and outcome.intent == UNKNOWN


def acts(outcome: Outcome) -> bool:
    return outcome.action in ("execute", "confirm")


def is_scrap(request: JudgedRequest, policy: Policy) -> bool:
    """A new thing to do that nothing in its own clause leads to: a piece of something else."""
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    if facts is None or facts.effect != "add":
        return False
    reading, outcome = request.weighed.reading, request.outcome
    words, name = reading.scene.words, facts.argument("name")
    title = title_words(str(outcome.call.parameters.get(name, ""))) if outcome.call else ()
    if all(word in policy.small_words for word in title):
        return True  # "so put that on my list"
    begins = any(each.frame.intent == outcome.intent and each.start in reading.scene.starts for each in reading.frames)
    if begins and outcome.confidence >= _BEYOND_DOUBT:
        return False
    return policy.lexicon.names(words).isdisjoint(("add_lead", "chore", "remind_me"))


_BEYOND_DOUBT = 0.9


def points(request: JudgedRequest) -> bool:
    """Whether it is about "it"."""
    return any(map(_is_pointed_at, request.outcome.references))


def judge_in_order(parts: tuple[Utterance, ...], context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """Each request knows what those before it named: "rename X to Y and make it urgent"."""
    judged: list[JudgedRequest] = []
    for place, each_part in enumerate(parts):
        of_new = say_of_new(each_part, judged, context, policy)
        if of_new:
            judged = of_new
            continue
        weighed, outcomes = hear_request(each_part, context, policy)
        meant = _named_before(each_part, weighed, outcomes, context, policy)
        if meant:
            plain = judge(weigh_request(each_part, meant, policy), meant, policy)
            outcomes = hear(each_part, weighed, plain, meant, policy) or (plain,)
        outcomes = tuple(_unless_not_so(each, weighed, policy) for each in outcomes)
        judged += [JudgedRequest(each_part, weighed, outcome) for outcome in outcomes]
        named = tuple([each.task_id for outcome in outcomes for each in outcome.references if each.task_id])
        if not named and len(parts) > 1:
            told = bool(context.history) and all(
                map(is_nothing, outcomes)
            )  # "the uniforms must wait. Put them on Thursday"
            named = _mentioned(each_part, weighed, context, policy, alone=told)
        if named and len(judged) < len(parts):
            done = tuple(outcome.call for outcome in outcomes if outcome.call and outcome.action == "execute")
            goes_on = done and any(says_same(each, policy) for each in parts[place + 1 :])
            said = Message("assistant", "", named, done) if goes_on else Message("user", "", named)
            context = replace(context, history=(*context.history, said))
    return tuple(judged)


def says_same(utterance: Utterance, policy: Policy) -> bool:
    """ "the rota is done and the table too": what was just said is said of another thing."""
    return policy.lexicon.says("cue_same", utterance.words)


def _named_before(
    utterance: Utterance, weighed: Weighed, outcomes: tuple[Outcome, ...], context: Context, policy: Policy
) -> Context | None:
    """ "they are doing the radiators now, take it off": "it" is what the message itself names before, rather than what
    was spoken of earlier. None where nothing of the kind is said."""
    pointed = {each.task_id for outcome in outcomes for each in outcome.references if _is_pointed_at(each)}
    if len(outcomes) != 1 or not pointed or not acts(outcomes[0]):
        return None
    words = weighed.reading.scene.words
    pronoun = next((place for place in range(len(words)) if _points_at(words, place, policy)), 0)
    if not pronoun and outcomes[0].act == "correct":
        pronoun = _where_it_turns(utterance, outcomes[0])
    said = part(utterance, 0, pronoun, policy) if pronoun > 1 else None
    named = _mentioned(said, weighed, context, policy, alone=True) if said else ()
    if len(named) != 1 or named[0] in pointed:
        return None
    return replace(context, history=(*context.history, Message("user", "", named)))


def _where_it_turns(utterance: Utterance, outcome: Outcome) -> int:
    """The first word of the clause with the new value: "the Kellers come earlier, at two"."""
    since = min((slot.span.start for slot in outcome.slots if slot.span), default=0)
    text, tokens = utterance.text, utterance.tokens
    turns = [
        place
        for place in range(1, len(tokens))
        if tokens[place].start <= since
        and (place in utterance.sentence_starts or "," in text[tokens[place - 1].end : tokens[place].start])
    ]
    return turns[-1] if turns else 0


def _points_at(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    kinds = policy.word_classes.get(words[place], frozenset())
    item = words[place + 1 : place + 2] and "item" in policy.word_classes.get(words[place + 1], ())
    return bool(_POINTS & kinds or (item and "det" in kinds))  # "quell'attività"


_POINTS = frozenset({"just_it", "clitic", "cue_them"})
""" "it", "them", and what is one word with its verb: "cancellalo"."""


def _is_pointed_at(reference: Reference) -> bool:
    return bool(reference.candidates) and reference.candidates[0].how == "pronoun"


def _unless_not_so(outcome: Outcome, weighed: Weighed, policy: Policy) -> Outcome:
    """ "I did not call my sister", "she will call her tomorrow": what is denied, or still to come, is not done."""
    facts = policy.catalogue.by_intent.get(outcome.intent)
    if facts is None or facts.effect != "finish" or outcome.act != "request" or not acts(outcome):
        return outcome
    if any(match.frame.intent == outcome.intent for match in weighed.reading.frames):
        return outcome  # asked for in so many words
    return nothing(weighed, policy, _TELLS_NOT_SO) if _is_not_so(outcome, weighed, policy) else outcome


def _is_not_so(outcome: Outcome, weighed: Weighed, policy: Policy) -> bool:
    """Whether a word that denies, or puts off, stands in the clause of what is named. A bare "no" answers somebody."""
    words, utterance = weighed.reading.scene.words, weighed.reading.utterance
    spans = [each.span for each in outcome.references if each.span]
    for place, word in enumerate(words):
        found = {name for name, _ in policy.lexicon.classes(words, place)}
        if _PARTLY in found:
            return True  # "got 14 of the tests marked, another 12 to go"
        if found.isdisjoint(_NOT_SO) or "no_word" in policy.word_classes.get(word, ()):
            continue
        here = utterance.tokens[place]
        between = [utterance.text[min(span.end, here.start) : max(span.start, here.end)] for span in spans]
        if any(not any(sign in text for sign in ",.;!?\n") for text in between):
            return True
    return False


_PARTLY = "partly"
_TELLS_NOT_SO = "it tells that something is not done, or still to come"
_NOT_SO = frozenset({"negation", "still_to_come"})


def spoken_of(story: Utterance, context: Context, policy: Policy) -> Context:
    """ "Mr Patel cannot in the morning, he says, so make it two": the one thing that a story names is "it" after it."""
    named = _mentioned(story, weigh_request(story, context, policy), context, policy, alone=True)
    return replace(context, history=(*context.history, Message("user", "", named))) if named else context


def _mentioned(
    utterance: Utterance, weighed: Weighed, context: Context, policy: Policy, *, alone: bool = False
) -> tuple[str, ...]:
    """The one thing that is plainly named, whatever is said about it; `alone`: a word that only it has will do."""
    words = weighed.reading.scene.words[: len(utterance.tokens)]
    limit = told_as_limit(utterance, words, policy)  # "it is for before the match, make it two"
    content = tuple(place for place, word in enumerate(words) if word not in policy.small_words and place not in limit)
    mentioned = find_mentioned(utterance, words, content, context, policy)
    found = [each for each in mentioned if each.named or (alone and len(mentioned) == 1 and not each.slips)]
    return (found[0].task.id,) if len(found) == 1 else ()
