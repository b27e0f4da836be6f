"""What speaks for a doubt or against it, and how much of it there is."""

from __future__ import annotations

DoubtSign = tuple[str, float]
