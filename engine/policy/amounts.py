"""The amounts that judging goes by. Their values are data: `shared.yaml` of a domain, or `amounts` of a language."""

from __future__ import annotations

from typing import NamedTuple


class Amounts(NamedTuple):
    misspelt_cost: float
    """Confidence that each corrected word costs."""
    shortest_misspelt: float
    """Letters; shorter words are never corrected."""
    pointed_at: float
    """Fit of "it" and "the second one" where the conversation named exactly that."""
    newest: float
    """Fit of "the last one" where nothing was listed."""
    among_several: float
    """Fit of "it" after a list of several."""
    longest_pointer: float
    """Words that "the second one on it" may have; longer mentions are names."""
    other_state: float
    """Off the fit of what is settled where open ones are meant, and the other way round."""
    all_words: float
    """Fit of a title that has all the words asked for."""
    all_words_share: float
    """What it gains by the share of the title that they are."""
    whole_title: float
    """Fit of a mention that has all the words of the title."""
    whole_title_share: float
    """What it gains by the share of the mention that they are."""
    some_words: float
    """Times the share of words in common, where another title has the very words."""
    some_words_floor: float
    """A smaller share in common is no candidate."""
    spoken_of: float
    """What the others lose where several titles fit alike and the conversation named one of them last."""
    letters: float
    """Times the likeness of letters."""
    letters_floor: float
    """Of 100; titles less alike than this are no candidates."""
    letters_overlap: float
    """What likeness counts where only a part of the title is alike."""
    guard: float
    """How much a guard speaks for asking for nothing."""
    named: float
    """How much something stored that is named speaks for a request about it."""
    named_from: float
    """It counts as named from this fit on."""
    read_in_context: float
    """Off the threshold from which a message counts as a request, where the store or the conversation speaks, too."""
    torn_below: float
    """With less than this for nothing being asked, two close intents are worth a question."""
    answered: float
    """How sure an answer to the open question is."""
    cost_fuzzy: float
    """Confidence that each way of finding the target costs: by likeness of letters …"""
    cost_partial: float
    """… by some of its words …"""
    cost_pronoun: float
    """… by "it" …"""
    cost_ordinal: float
    """… by its place in a list …"""
    cost_recent: float
    """… or because it was touched last."""
    doubt: float = 0.6
    """A change that is wrong with at least this likelihood is asked about. Policies that were exported before there was
    doubt do not have it."""

    def cost_of(self, how: str) -> float:
        return float(getattr(self, f"cost_{how}", 0.0))
