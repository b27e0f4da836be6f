"""For the pages that still import from here; goes with them."""

from engine.completing.values import (
    ComposedCall,
    ComposerSettings,
    Composition,
    Learned,
    Level,
    MachineCandidate,
    Request,
    Status,
    Why,
)

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
