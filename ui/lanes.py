"""The deciders of this browser session."""

from __future__ import annotations

from assistant import Lanes
from engine.decider import RuleDecider
from llm.decider import LLMDecider
from settings import load_settings


def current_engine() -> RuleDecider:
    return RuleDecider()


def current_llm() -> LLMDecider:
    return LLMDecider()


def is_llm_on() -> bool:
    return load_settings().llm_endpoint != "off"


def current_lanes() -> Lanes:
    """Both, as a turn takes them."""
    return Lanes(current_engine(), current_llm() if is_llm_on() else None)
