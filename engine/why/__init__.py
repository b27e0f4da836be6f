"""Why a message was not read as it should have been: the nearest ways of asking, and where each of them failed."""

from engine.why.finding import find_why
from engine.why.values import NearMiss, Obstacle, ValueGap, WhyNot

__all__ = ["NearMiss", "Obstacle", "ValueGap", "WhyNot", "find_why"]
