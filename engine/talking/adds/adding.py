"""New things to do, in any words: one call for each, with the date, the note and the day before that belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.decision import Slot
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.slots.draft import Draft
from engine.slots.keeping import join_due
from engine.slots.titles import clean, find_quoted
from engine.talking.adds.days_of_pieces import share_day
from engine.talking.adds.regions import Region, find_note, find_regions
from engine.talking.basis import Basis, draft_with, judge_with
from engine.talking.days.choosing_dates import pick_date
from engine.talking.moves.noticed import Noticed, holds
from engine.talking.names.naming import is_chore
from engine.talking.values import Told
from engine.talking.ways.changing import last_target
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.values import Argument, Provenance, ToolCall

_LEAD = "add_lead"
_LIKELY, _SURELY = 0.5, 0.85
_TELLS = "telling"
_ANOTHER, _PAST_DUTY = "another", "past_duty"


def _can_be_done(noticed: Noticed, region: Region) -> bool:
    """Not "and thanks", and not "and i am tired": who does something is told then, not what is to be done."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    polite = {
        place
        for first in range(region.first, region.last)
        for name in _POLITE
        for end in policy.lexicon.ends(name, words, first)
        for place in range(first, end)
        if "supply" not in policy.word_classes.get(words[place], ())  # coffee
    }
    same = {place for at in range(region.first, region.last) for place in _said_same(at, words, policy)}
    if all(place in polite | same or words[place] in policy.small_words for place in range(region.first, region.last)):
        return False
    since = next((place for place in range(region.since, region.until) if words[place] not in policy.splitters), 0)
    begins = policy.word_classes.get(words[since], frozenset())
    tells = not begins.isdisjoint(("subject", _TELLS)) and "det" not in begins  # "lo zucchero"
    sentence = max((start for start in noticed.utterance.sentence_starts if start <= region.first), default=0)
    if policy.lexicon.ends("there_is", words, sentence):
        return False  # "there's a boy drawing a horse"
    clause = range(_after_last_sign(noticed, region.first), region.first)
    if any(policy.lexicon.ends(_PAST_DUTY, words, place) for place in clause):
        return False  # "so I had to walk to the library"
    if _is_over(noticed, clause):
        return False
    # Not by a mere "too": "e fa anche freddo" asks for nothing.
    leads = [place for place in range(len(words)) if "joiner" not in policy.word_classes.get(words[place], ())]
    led = any(policy.lexicon.ends(_LEAD, words, place) for place in leads)
    done = any("did" in policy.word_classes.get(word, ()) for word in words)  # "she completed it in four hours"
    return not tells or led or (bool(noticed.told.dates) and not done)


def _is_over(noticed: Noticed, clause: range) -> bool:
    """ "we had such a good time on Saturday": who says so begins with it, and leads to nothing that is to be done."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    told = [place for place in clause if "past_main" in policy.word_classes.get(words[place], ())]
    if not told or any(policy.lexicon.ends(_LEAD, words, place) for place in clause):
        return False
    before = words[told[0] - 1] if told[0] else ""
    return told[0] <= clause.start + _OPENING and (
        not before
        or not {"subject", "opener", "interjection", "date_word"}.isdisjoint(policy.word_classes.get(before, ()))
    )


_OPENING = 2


def _said_same(place: int, words: tuple[str, ...], policy: Policy) -> Iterator[int]:
    """ "and the same on Sunday" names nothing by itself."""
    for end in policy.lexicon.ends("cue_same", words, place):
        yield from range(place, end)


def _after_last_sign(noticed: Noticed, place: int) -> int:
    """Where the stretch without a sign begins that ends here: "I went to get milk, add bread" asks for bread."""
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    while place > 0 and not (place < len(tokens) and text[tokens[place - 1].end : tokens[place].start].strip()):
        place -= 1
    return place


_POLITE = frozenset({"closer", "opener", "interjection", "cue_chat"})


def add(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    facts = noticed.told.policy.catalogue.by_effect.get("add")
    if facts is None:
        return None
    regions = find_regions(noticed)
    regions = [each for each in regions if _can_be_done(noticed, each)]
    if _is_fragment(noticed, regions) or _sets_against(noticed):
        return None
    drafts = [draft_region(noticed, basis, facts, region, alone=len(regions) == 1) for region in regions]
    named = [each for each in drafts if _has_name(each, facts, noticed.told.policy.splitters)]
    if not named:
        again = _another(noticed, facts)
        return (judge_with(basis, facts, again, None, noticed.told),) if again else None
    if len(named) > 1:
        named = share_date(named, facts, noticed)
    named = _as_before(named, facts, noticed)
    if basis.act == "continue":
        named = [_same_day(each, facts, noticed.told) for each in named]
    named = [*named[:-1], _with_note(noticed, named[-1], facts)]
    return tuple(judge_with(basis, facts, each, None, noticed.told) for each in named)


def _has_name(drafted: Draft, facts: ToolFacts, splitters: frozenset[str]) -> bool:
    """Figures alone name nothing: "add 17 and 25"."""
    names = [str(slot.value) for slot in drafted.slots if slot.name == facts.argument("name")]
    words = [word for name in names for word in name.split() if word.lower() not in splitters]
    return any(letter.isalpha() for word in words for letter in word)


def _sets_against(noticed: Noticed) -> bool:
    """ "new year, same chaos": a few words and then that something is the same, and nothing is to be done."""
    words, text, tokens = noticed.weighed.reading.scene.words, noticed.utterance.text, noticed.utterance.tokens
    policy = noticed.told.policy
    if len(words) > _LONG_REMARK + 1 or noticed.told.dates or any(is_chore(word, policy) for word in words):
        return False
    pieces = [place for place in range(1, len(tokens)) if "," in text[tokens[place - 1].end : tokens[place].start]]
    return len(pieces) == 1 and any("cue_same" in policy.word_classes.get(words[at], ()) for at in pieces)


def _is_fragment(noticed: Noticed, regions: list[Region]) -> bool:
    """A few words out of a longer remark that no word for adding, wishing or doing leads to: "Leo came home with
    another hole in his trousers" names nothing to do."""
    said, policy, reading = noticed.content, noticed.told.policy, noticed.weighed.reading
    if len(said) < _LONG_REMARK or noticed.has_cue("note"):
        return False
    if any(policy.catalogue.by_intent[each.frame.intent].effect == "add" for each in reading.frames):
        return False
    words = reading.scene.words
    early = range(said[_FEW_BEFORE] + 1)
    leads = {name for place in early for name, _ in policy.lexicon.classes(words, place)}
    named = [place for place in said if any(each.first <= place < each.last for each in regions)]
    errand = any(is_chore(words[each.first], policy) for each in regions)
    return not errand and leads.isdisjoint(_LEADS_TO_TASK) and 2 * len(named) <= len(said)


_LONG_REMARK, _FEW_BEFORE = 5, 2
_LEADS_TO_TASK = frozenset({_LEAD, "remind_me", "todo_head"})


def _another(noticed: Noticed, facts: ToolFacts) -> Draft | None:
    """ "another one on Thursday": what was spoken of once more, at another time."""
    name, argument, date = facts.argument("name"), facts.argument("date"), pick_date(noticed)
    last = last_target(noticed.told)
    task = noticed.told.context.tasks.find_by_id(last) if last else None
    if task is None or date is None or not argument or noticed.mentioned:
        return None
    if not (noticed.has_cue(_ANOTHER) or (noticed.has_cue("same") and noticed.told.situation.effect == "add")):
        return None
    value = join_due(date, task.due_date)
    called = Argument(name, task.title, Provenance("conversation", None, "as before"))
    return Draft(
        facts.intent,
        (called, Argument(argument, value, Provenance("words", date.span))),
        (Slot(argument, value, date.span),),
    )


def draft_region(noticed: Noticed, basis: Basis, facts: ToolFacts, region: Region, *, alone: bool) -> Draft:
    """The call for one thing. Where it is the only one, everything that the message says about it counts."""
    name, (first, last, since, until) = facts.argument("name"), region
    around = noticed.utterance.span(since, until)
    dates = tuple(each for each in noticed.told.dates if around.start <= each.span.start < around.end)
    told = noticed.told._replace(dates=dates or (noticed.told.dates if alone else ()))
    return draft_with(basis._replace(start=first, end=last, slots=((name, first, last),)), facts, told)


def _with_note(noticed: Noticed, drafted: Draft, facts: ToolFacts) -> Draft:
    argument, cue = facts.argument("note"), find_note(noticed)
    if not argument or cue is None or any(slot.name == argument for slot in drafted.slots):
        return drafted
    utterance = noticed.utterance
    region = cue[1], len(utterance.tokens)
    words = find_quoted(utterance, *region) or clean(utterance, *region, noticed.told.policy, lead="note_lead")
    if words is None:
        return drafted
    given = Argument(argument, words.value, Provenance("words", words.span))
    return drafted._replace(
        arguments=(*drafted.arguments, given), slots=(*drafted.slots, Slot(argument, words.value, words.span))
    )


def share_date(drafts: list[Draft], facts: ToolFacts, noticed: Noticed) -> list[Draft]:
    """ "tomorrow pack the bag, sign the form and ring Anna": all of them tomorrow, unless one says otherwise."""
    dates = noticed.told.dates
    if not dates:
        return drafts
    first = Slot(facts.argument("date"), dates[0].value, dates[0].span, dates[0].alternatives)
    return share_day(drafts, facts, first)


def _as_before(drafts: list[Draft], facts: ToolFacts, noticed: Noticed) -> list[Draft]:
    """ "the same for the toner": on the day of what was added before, where everything together says so."""
    argument, situation = facts.argument("date"), noticed.told.situation
    call = situation.calls[-1] if situation.calls and situation.effect == "add" else None
    due = call.parameters.get(argument) if call and argument else None
    if not call or not due or noticed.told.dates:
        return drafts
    least = _LIKELY if noticed.has_cue("same") else _SURELY
    if holds("as before", noticed) < least and not _is_more_of_it(drafts, call, facts, noticed):
        return drafts
    same = {argument: due}
    if noticed.has_cue("same"):
        same |= {name: value for name, value in call.parameters.items() if name == facts.argument("level")}
    return [_with_same(each, same) for each in drafts]


def _with_same(drafted: Draft, same: Mapping[str, object]) -> Draft:
    """With what was said of the one before, where nothing else is said of this one."""
    said = {each.name for each in drafted.arguments}
    given = [
        Argument(name, value, Provenance("conversation", None, "as before"))
        for name, value in same.items()
        if name not in said
    ]
    return drafted._replace(arguments=(*drafted.arguments, *given))


def _is_more_of_it(drafts: list[Draft], call: ToolCall, facts: ToolFacts, noticed: Noticed) -> bool:
    """ "buy nappies tomorrow", then "and buy formula too": the same errand, and a word that says so."""
    name, policy = facts.argument("name"), noticed.told.policy
    titles = [str(each.value) for draft in drafts for each in draft.arguments if each.name == name]
    named = [title_words(title) for title in (*titles, str(call.parameters.get(name, "")))]
    verbs = {stem(words[0], policy) for words in named if words}  # a title may be a mere sign
    return noticed.has_cue("same") and noticed.has_cue("more") and len(titles) == len(drafts) and len(verbs) == 1


def _same_day(drafted: Draft, facts: ToolFacts, told: Told) -> Draft:
    """ "cinema on Saturday at 6", then "and pizza at eight": an hour alone, of no errand, is one of the same day."""
    argument, called = facts.argument("date"), facts.argument("name")
    before = told.situation.calls[-1].parameters.get(argument) if told.situation.calls and argument else None
    title = next((str(each.value) for each in drafted.arguments if each.name == called), "")
    date = next((each for each in told.dates if not each.has_day), None)
    if not isinstance(before, str) or not date or any(each.has_day for each in told.dates):
        return drafted
    words = title_words(title)
    if not words or is_chore(words[0], told.policy):
        return drafted
    given = tuple(
        replace(each, value=before[:10] + date.value[10:]) if each.name == argument else each
        for each in drafted.arguments
    )
    return drafted._replace(arguments=given)
