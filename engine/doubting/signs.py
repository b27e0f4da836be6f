"""What speaks for or against a change that is about to be made: the message, the decision, and how else it may be read.

None of it names a tool or an intent; what each sign is worth is learned (`facets.doubt` in `talk.json`).
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.decision import Candidate, Context, Decision, Reference
from engine.doubting.other_readings import notice_other_readings
from engine.doubting.values import DoubtSign
from engine.policy.values import Policy
from engine.talking.values import FIRST
from engine.text.folding import title_words
from engine.text.normalise import Token, Utterance
from engine.values import Span, ToolCall


def notice_doubts(decision: Decision, utterance: Utterance, context: Context, policy: Policy) -> list[DoubtSign]:
    """What speaks for or against a decision that changes something, each with how much of it there is."""
    noticed = [*_of_message(decision, utterance, policy), *_of_decision(decision)]
    noticed += notice_other_readings(decision, utterance, context, policy)
    for call in decision.calls:
        noticed += _of_call(call, policy)
    for reference in decision.references:
        noticed += _of_reference(reference)
    added: dict[str, float] = {}
    for name, value in noticed:
        if value:
            added[name] = max(added.get(name, value), value)
    return list(added.items())


def _of_message(decision: Decision, utterance: Utterance, policy: Policy) -> Iterator[DoubtSign]:
    text, count = utterance.text, len(utterance.tokens)
    yield "words", min(count, 40) / 10
    yield "more than 20 words", float(count > 20)
    yield "more than 30 words", float(count > 30)
    yield "sentences", float(min(max(len(utterance.sentence_starts) - 1, 0), 3))
    yield "commas", float(min(text.count(","), 4))
    yield "numbers", float(min(sum(token.norm[:1].isdigit() for token in utterance.tokens), 5))
    yield "a question mark", float("?" in text)
    yield "an exclamation mark", float("!" in text)
    unread = _count_unread(decision, utterance, policy)
    yield "words not read", min(unread, 12) / 4
    yield "share of words not read", unread / max(count, 1)


def _count_unread(decision: Decision, utterance: Utterance, policy: Policy) -> int:
    """Words that say something, and of which nothing came."""
    read = [each.provenance.span for call in decision.calls for each in call.arguments]
    read += [slot.span for slot in decision.slots]
    read += [reference.span for reference in decision.references]
    read += [each.span for score in decision.scores if score.intent == decision.intent for each in score.evidence]
    spans = [span for span in read if span]
    small = policy.small_words
    return sum([token.norm not in small and not _meets_any(token, spans) for token in utterance.tokens])


def _meets_any(token: Token, spans: list[Span]) -> bool:
    for span in spans:  # noqa: SIM110 - asked of each word, and a loop is quicker
        if span.start < token.end and token.start < span.end:
            return True
    return False


def _of_decision(decision: Decision) -> Iterator[DoubtSign]:
    yield f"act: {decision.act}", 1.0
    yield f"reason: {decision.reason}", 1.0
    least = min((each for each in decision.call_confidences if each is not None), default=0.0)
    yield "confidence", least
    yield "a part that was not understood", max(least - (decision.confidence or 0.0), 0.0)
    yield "several changes", float(min(len(decision.calls), 4) - 1)
    yield "takes back first", float(decision.undoes)
    yield from _of_ledger(decision)
    ruled = any(score.evidence for score in decision.scores if score.intent == decision.intent)
    yield "no way of asking fits", float(not ruled)


def _of_ledger(decision: Decision) -> Iterator[DoubtSign]:
    """By what it was read: its form, a way of talking, a way of asking. Some go wrong more often than others."""
    names = [factor.name for factor in decision.ledger]
    if names and names[0] != FIRST:
        yield "read by its form", 1.0
        yield f"read by: {names[0]}", 1.0
    yield from ((f"read by {name}", 1.0) for name in names if name.startswith(_WAYS))


_WAYS = ("act:", "lead:")


def _of_call(call: ToolCall, policy: Policy) -> Iterator[DoubtSign]:
    facts = policy.catalogue.by_name.get(call.tool_name)
    if facts is None:
        return
    yield f"to {facts.effect}", 1.0
    for each in call.arguments:
        kind = "target" if each.name == facts.target else facts.reads.get(each.name, "other")
        yield f"{facts.effect}: {kind} from {each.provenance.source}", 1.0
        words = title_words(str(each.value)) if kind in _TEXTS else ()
        if not words:
            continue
        yield f"{kind} of one word", float(len(words) == 1)
        if kind == "name":
            yield from _of_name(str(each.value), words, policy)


_TEXTS = ("name", "note")


def _of_name(value: str, words: tuple[str, ...], policy: Policy) -> Iterator[DoubtSign]:
    yield "words of the name", min(len(words), 15) / 5
    yield "a name of more than 7 words", float(len(words) > 7)
    yield "the name begins with a small word", float(words[0] in policy.small_words)
    yield "the name ends with a small word", float(words[-1] in policy.small_words)
    yield "a sign within the name", float(_has_sign_within(value.split(), policy))
    yield "a number in the name", float(any(word[0].isdigit() for word in words))


def _has_sign_within(words: list[str], policy: Policy) -> bool:
    """Not where a number follows, which belongs to it: "nappies, size 4", "Mill Lane, 14"."""
    numbered = max((place for place, word in enumerate(words) if any(map(str.isdigit, word))), default=-1)
    return any(_ends_with_sign(word, policy) for place, word in enumerate(words) if place >= numbered)


def _ends_with_sign(word: str, policy: Policy) -> bool:
    return word[-1] in ",.;:" and word[:-1].lower() not in policy.abbreviations


def _of_reference(reference: Reference) -> Iterator[DoubtSign]:
    meant = next((each for each in reference.candidates if each.task_id == reference.task_id), None)
    if meant is None:
        return
    yield f"found: {meant.how}", 1.0
    yield "fit of what is found", meant.score
    yield "ahead of the next", meant.score - _next_best(meant, reference.candidates)


def _next_best(meant: Candidate, candidates: tuple[Candidate, ...]) -> float:
    return max((each.score for each in candidates if each.task_id != meant.task_id and not each.lost), default=0.0)
