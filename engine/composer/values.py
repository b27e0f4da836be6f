"""For the pages that still import from here; goes with them."""

from engine.completing.values import (
    ComposedCall,
    ComposerSettings,
    Composition,
    Level,
    MachineCandidate,
    Request,
    Status,
    Why,
)
from engine.decision import Learned

__all__ = [
    "ComposedCall",
    "ComposerSettings",
    "Composition",
    "Learned",
    "Level",
    "MachineCandidate",
    "Request",
    "Status",
    "Why",
]
