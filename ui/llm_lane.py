"""The one place where pages get the LLM lane from, so that a test or a setting can put another in its stead."""

from __future__ import annotations

from llm.decider import LLMDecider


def make_llm_decider() -> LLMDecider:
    return LLMDecider()
