"""Thresholds that Evaluate found, as edits of the drafts of a domain."""

from __future__ import annotations

from collections.abc import Mapping

from domains.loading import load_domain
from engine.editing.edits import SetThreshold
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from ui.policy.actions import tell
from ui.policy.desk import Desk, add_edits, open_desk, put_down
from ui.state.address import drop_from_address, read_address
from ui.threshold_links import THRESHOLDS, read_thresholds


def take_thresholds(domain: str) -> None:
    """Once, into the draft of each language: a threshold of a run is the same in all of them."""
    changes = read_thresholds(read_address(THRESHOLDS))
    drop_from_address(THRESHOLDS)
    if not changes:
        return
    languages = load_domain(domain).languages
    try:
        desks = [_with_thresholds(open_desk(domain, language), changes) for language in languages]
    except (EditError, PolicyError) as error:
        tell(f"The thresholds cannot be taken into a draft: {error}.", failed=True)
        return
    for desk in desks:
        put_down(desk)
    values = ", ".join(f"{name} {value:.2f}" for name, value in changes.items())
    names = " and ".join(desk.draft.policy.name or desk.language for desk in desks)
    tell(f"From Evaluate, in the draft: {values} ({names}). Nothing is in force before it is saved.")


def _with_thresholds(desk: Desk, changes: Mapping[str, float]) -> Desk:
    present = desk.draft.policy.thresholds
    edits = [SetThreshold(name, value) for name, value in changes.items() if getattr(present, name) != value]
    return add_edits(desk, *edits) if edits else desk
