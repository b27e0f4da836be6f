"""The lanes of a conversation from a script, as the settings have them: no browser session has set up others."""

from __future__ import annotations

from assistant.turn_values import Lanes
from engine.completing.values import ComposerSettings
from engine.decider import RuleDecider
from engine.domain import Domain
from engine.outcome.routing import Driver
from settings import load_settings


def configured_lanes(domain: Domain, driver: Driver) -> Lanes:
    """The LLM is asked only where it may decide: nobody looks at the two side by side here."""
    composer = ComposerSettings(*load_settings().composition)
    engine = domain.conduct.make_decider(composer) if domain.conduct else RuleDecider(domain)
    if driver == "engine":
        return Lanes(engine)
    from llm.decider import LLMDecider  # late: the SDK takes a second
    from llm.locating import make_endpoint
    from llm.trace import LaneError

    try:
        make_endpoint()
    except LaneError:
        return Lanes(engine)  # off, as on the pages
    return Lanes(engine, LLMDecider(composer=composer, domain=domain, engine=engine))
