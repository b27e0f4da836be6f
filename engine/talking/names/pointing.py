"""What a message is about: tasks that it mentions, places in a list, or what was just spoken of."""

from __future__ import annotations

from engine.decision import Candidate, Reference
from engine.policy.classes import ORDINALS
from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed, holds
from engine.talking.names.meant import MeantTask, weigh_tasks
from engine.talking.names.mentions import MentionedTask
from engine.targets.by_day import find_called_by_day
from engine.targets.identifiers import find_numbered
from engine.targets.numbers import find_called, is_called_otherwise
from engine.text.folding import fold, title_words

_POINTED_AT, _STEP = 0.95, 0.01
_MOST, _SHOWN = 8, 6
_LEAST, _SURE, _CERTAIN, _BEYOND_DOUBT = 0.3, 0.7, 0.85, 0.9
"""From these shares on a task is asked about, taken, and taken whatever else may be meant."""
_NEARLY = 0.8
"""So much of the likeliest one's share makes another one as likely."""
_CLEAR_LEAD = 0.15
"""So much more of a title leaves no doubt which of two is named."""
_AMONG_SEVERAL, _SEVERAL, _SURELY_SEVERAL, _LESS = 0.5, 0.4, 0.7, 0.2
_WORTH_SHOWING = 0.1


def find_targets(noticed: Noticed, effect: str) -> tuple[Reference, ...]:
    """What is changed, finished, removed or asked about: one task, or several where the message says so; one without a
    task where it may be one of several."""
    numbered = _by_number(noticed)
    if numbered or numbered is None:
        return numbered or ()
    told = noticed.told
    of_day = find_called_by_day(
        noticed.utterance, told.dates, told.context, told.policy, told.policy.catalogue.states[0]
    )
    if of_day:
        return (of_day,)
    meant = weigh_tasks(noticed, len(unexplained(noticed)), effect)
    if not meant or _has_no_such_place(noticed):
        return ()
    if meant[0].share < _LEAST and not (effect == "change" and _is_pointed_at(meant[0], noticed)):
        return ()  # "can you move that to the week after, same day"
    joined = _joined(noticed, meant) if effect != "read" else []
    several = joined or _several(noticed, meant, effect)
    if effect == "remove":
        several = [each for each in several if each.mention is None or _is_said_as_written(each.mention, noticed)]
    if len(several) > 1:
        # "both": none of them is less meant than the others
        surely = bool(joined) or holds("several", noticed) >= _SURELY_SEVERAL
        together = [each._replace(share=max(each.share, _SURE)) if surely else each for each in several]
        return tuple(_refer(noticed, each) for each in _in_order(together, noticed)[:_MOST])
    best = meant[0]
    if _is_pointed_at(best, noticed):
        best = best._replace(share=max(best.share, _SURE))  # "on Sunday I've got the boys, make it Monday"
    rivals = [each for each in meant[1:] if _rivals(best, each, noticed)]
    if rivals:
        return (_ambiguous(noticed, (best, *rivals)),)
    return (_refer(noticed, best, meant[1:]),)


def _is_pointed_at(best: MeantTask, noticed: Noticed) -> bool:
    return noticed.points and not best.mention and best.task.id in noticed.told.situation.spoken_of[:1]


def find_last_spoken_of(noticed: Noticed) -> Reference | None:
    """What was spoken of last, whatever the words say: only to be asked about."""
    spoken_of = noticed.told.situation.spoken_of
    task = noticed.told.context.tasks.find_by_id(spoken_of[-1]) if spoken_of else None
    return _refer(noticed, MeantTask(task, _LEAST)) if task else None


def _is_said_as_written(mention: MentionedTask, noticed: Noticed) -> bool:
    """ "delete the pens, a colleague gave me some" deletes no "College meeting" along with them."""
    words, titled = noticed.weighed.reading.scene.words, title_words(mention.task.title)
    return all(fold(words[place]) in titled for place in mention.places)


def _several(noticed: Noticed, meant: tuple[MeantTask, ...], effect: str) -> list[MeantTask]:
    """Those that are meant together: the message says so, or each is named by words of its own."""
    share = holds("several", noticed)
    least = _AMONG_SEVERAL if share < _SURELY_SEVERAL else _AMONG_SEVERAL - _LESS
    likely = [each for each in meant if each.share >= least]
    if noticed.has_cue("two") and not noticed.has_cue("three"):
        likely = likely[:2]  # "both"
    if len(likely) > 1 and share >= (_SEVERAL if _have_own_words(likely) else _SURELY_SEVERAL):
        return likely
    named = [each for each in likely if each.mention and each.share >= (_SURE if each.mention.named else _CERTAIN)]
    return named if effect != "read" and len(named) > 1 and _have_own_words(named) else []


def _joined(noticed: Noticed, meant: tuple[MeantTask, ...]) -> list[MeantTask]:
    """Those that are named one after the other with "and" or a comma between them: "the butcher and the flour"."""
    named = [each for each in meant if each.mention and each.mention.named and not each.mention.slips]
    chain: list[MeantTask] = []
    for each in _in_order(named, noticed):
        if not chain or _joins(chain[-1], each, noticed):
            chain.append(each)
        else:
            return []
    return chain if len(chain) > 1 and meant[0] in chain and _have_own_words(chain) else []


def _joins(one: MeantTask, other: MeantTask, noticed: Noticed) -> bool:
    if not one.mention or not other.mention:
        return False
    first, last = one.mention.places[-1] + 1, other.mention.places[0]
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    tokens, text = noticed.utterance.tokens, noticed.utterance.text
    between = text[tokens[first - 1].end : tokens[last].start] if first <= last else ""
    small = all(word in policy.small_words or word in policy.splitters for word in words[first:last])
    return small and ("," in between or any(word in policy.splitters for word in words[first:last]))


def _have_own_words(tasks: list[MeantTask]) -> bool:
    places = [set(each.mention.places) for each in tasks if each.mention]
    return all(one.isdisjoint(other) for place, one in enumerate(places) for other in places[place + 1 :])


def _rivals(best: MeantTask, other: MeantTask, noticed: Noticed) -> bool:
    """Whether the other one may be meant as well: nearly as likely, or named by the same words as well as the best."""
    if best.mention and not best.mention.slips and other.mention is None and not noticed.points:
        return False  # "the dog at nine", right after the bread was added
    if other.share >= best.share * _NEARLY and best.share < _BEYOND_DOUBT:
        return True
    spoken = noticed.told.situation.spoken_of
    # both of them were listed: neither was spoken of more than the other
    if not best.mention or not other.mention or (best.task.id in spoken and other.task.id not in spoken):
        return False
    if other.task.status != best.task.status or not set(best.mention.places) <= set(other.mention.places):
        return False
    # that a title is shorter does not make it more likely, unless nearly all of it is said
    only_shorter = best.mention.fit < _NEARLY_WHOLE and set(best.mention.places) == set(other.mention.places)
    return only_shorter or other.mention.fit > best.mention.fit - _CLEAR_LEAD


_NEARLY_WHOLE = 0.7


def _in_order(tasks: list[MeantTask], noticed: Noticed) -> list[MeantTask]:
    """As the message names them, then as they were spoken of."""
    spoken = noticed.told.situation.spoken_of
    last = len(noticed.utterance.tokens)

    def place(each: MeantTask) -> tuple[int, int]:
        return (
            each.mention.places[0] if each.mention else last,
            spoken.index(each.task.id) if each.task.id in spoken else len(spoken),
        )

    return sorted(tasks, key=place)


def _refer(noticed: Noticed, meant: MeantTask, others: tuple[MeantTask, ...] = ()) -> Reference:
    """By the words that mention it, else by the whole message; what is likely and not sure is asked about."""
    mention = meant.mention
    span = mention.span if mention else noticed.whole
    rest = [_candidate(each) for each in others if each.mention or each.share >= _WORTH_SHOWING]
    return Reference(noticed.utterance.slice(span), span, (_candidate(meant), *rest)[:_SHOWN], meant.task.id)


def _candidate(meant: MeantTask) -> Candidate:
    if meant.share < _SURE:
        return Candidate(meant.task.id, round(meant.share, 4), "fuzzy")
    if meant.mention is None:
        return Candidate(meant.task.id, _POINTED_AT, "pronoun")
    fit = meant.mention.fit
    how = "fuzzy" if meant.mention.slips else "exact" if fit == 1 else "partial"
    return Candidate(meant.task.id, _as_score(fit), how)


def _ambiguous(noticed: Noticed, tasks: tuple[MeantTask, ...]) -> Reference:
    mention = tasks[0].mention
    span = mention.span if mention else noticed.whole
    candidates = tuple(
        Candidate(each.task.id, _POINTED_AT - _STEP * place, "partial") for place, each in enumerate(tasks)
    )
    return Reference(noticed.utterance.slice(span), span, candidates[:_SHOWN], None)


def unexplained(noticed: Noticed) -> list[int]:
    """The places of words that are neither a cue, a value, nor the name of something stored."""
    cued = {place for _, first, last in noticed.cues for place in range(first, last)}
    named = {place for each in noticed.mentioned for place in each.places}
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    filtering = {
        where
        for place in noticed.content
        for _, length in noticed.told.policy.lexicon.beginning(_FILTERS, words, place)
        for where in range(place, place + length)
    }
    return [
        place
        for place in noticed.content
        if place not in cued | named | filtering and classes.get(words[place], frozenset()).isdisjoint(_VALUES)
    ]


_FILTERS = ("status_", "due_", "ordinal_")
_VALUES = frozenset(
    {"priority_high", "priority_medium", "priority_low", "level_high", "level_low", "level_medium", "level_noun"}
    | {"opener", "closer", "corrector", "quality", "priority_state", "item", "items", "list", "vague"}
)


def _by_number(noticed: Noticed) -> tuple[Reference, ...] | None:
    """None where a number is said of something that the task of that number is not: then nothing else is meant."""
    number = find_numbered(noticed.utterance.text, noticed.told.policy.words["numbered"])
    context = noticed.told.context
    task = context.tasks.find_by_number(number) if number is not None else None
    if number is None or find_called(title_words(noticed.utterance.text), number, context):
        return ()  # "sprint task 3" is a name
    if task and is_called_otherwise(noticed.utterance.text, task, noticed.told.policy):
        return None
    return (_reference(noticed, task.id, 1.0, "number"),) if task else ()


def _by_day(noticed: Noticed) -> Reference | None:
    told = noticed.told
    return find_called_by_day(noticed.utterance, told.dates, told.context, told.policy, told.policy.catalogue.states[0])


def _as_score(fit: float) -> float:
    """From the share of a title to how well a mention fits it: whoever says one word that only it has means it."""
    return round(0.6 + 0.4 * fit, 4)


def _has_no_such_place(noticed: Noticed) -> bool:
    """ "the fifth" of two."""
    listed = noticed.told.situation.listed or noticed.told.situation.spoken_of
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    if not lexicon.names_beginning("ordinal_", words):  # nearly always
        return False
    spans = date_spans(noticed.told.dates, noticed.utterance)
    before = False
    for place in range(len(words)):
        if inside(noticed.utterance.tokens[place], spans):
            continue  # "the third" of March
        for name, _ in lexicon.beginning("ordinal_", words, place):
            if name in ORDINALS and ORDINALS.index(name) >= max(len(listed), 1):
                return True
            if name == "ordinal_last" and before and _is_ordinal(words, place - 2, noticed):
                return True  # "the second to last"
            before = before or name in ORDINALS
    return False


def _is_ordinal(words: tuple[str, ...], place: int, noticed: Noticed) -> bool:
    return place >= 0 and not noticed.told.policy.word_classes.get(words[place], frozenset()).isdisjoint(ORDINALS)


def _reference(noticed: Noticed, task_id: str, score: float, how: str) -> Reference:
    span = noticed.whole
    return Reference(noticed.utterance.slice(span), span, (Candidate(task_id, score, how),), task_id)
