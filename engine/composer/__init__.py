"""The composer: completes a tool call that arrived incomplete, asks where there are several ways, or refuses.

Spec 5's pipeline: sanitise what came, take the context, compose, and leave the rest to the tool.
"""

from engine.composer.compose import compose
from engine.composer.values import Composition, Request

__all__ = ["Composition", "Request", "compose"]
