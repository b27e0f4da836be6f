"""Why a lane acted in a turn: codes that are kept with it, and their sentences on its card."""

from __future__ import annotations

import enum


class Route(enum.StrEnum):
    """Why this lane acted. The set is closed: pages and reports switch on it."""

    ENGINE_DRIVES = "engine_drives"
    LLM_DRIVES = "llm_drives"
    ENGINE_SURE = "engine_sure"
    """Weighed: the engine knew what to do, and did not wait."""
    BOTH_AGREE = "both_agree"
    ENGINE_LIKELIER = "engine_likelier"
    LLM_LIKELIER = "llm_likelier"
    LLM_SHOWS = "llm_shows"
    ONLY_LLM = "only_llm"
    ONLY_ENGINE = "only_engine"
    LANES_DIFFER = "lanes_differ"
    BOTH_OFFERED = "both_offered"
    NOT_LIKELY = "not_likely"
    NOT_ASKED = "not_asked"
    GUARDED = "guarded"
    LLM_NO_HELP = "llm_no_help"
    """Weighed: neither lane asks for a tool."""
    LLM_LOADING = "llm_loading"
    """Weighed: the model was not ready, and nobody waits for that."""
    LLM_BUSY = "llm_busy"
    """The model had too many others to answer first."""
    LLM_SLOW = "llm_slow"
    """The model took longer than anybody waits; its decision is shown when it comes."""
    LLM_STEPS_IN = "llm_steps_in"
    """Of turns before the lanes were weighed: the engine would only have asked or replied, and the LLM was taken."""
    LLM_APPROVED = "llm_approved"
    """Guarded: the engine has nothing against the LLM's proposal."""
    ENGINE_VETOED = "engine_vetoed"
    ENGINE_DIFFERS = "engine_differs"
    """Guarded: both would act, but not alike; the user is asked."""
    ANSWERED = "answered"
    """The message answered the question that was waiting; the engine reads that whoever drives."""
    LLM_FAILED = "llm_failed"
    LLM_BROKEN = "llm_broken"
    LLM_OFF = "llm_off"
    CUT_OFF = "cut_off"
    """The LLM had done a part of it when the workbench was stopped."""


ROUTE_SENTENCES: dict[Route, str] = {
    Route.ENGINE_DRIVES: "The engine drives.",
    Route.LLM_DRIVES: "The LLM drives.",
    Route.ENGINE_SURE: "The engine was sure, so the LLM was not needed.",
    Route.BOTH_AGREE: "Both lanes agree: done.",
    Route.ENGINE_LIKELIER: "The lanes differ, and the engine is the likelier to be right.",
    Route.LLM_LIKELIER: "Your words ask for it, and the LLM knows more of what is meant than the engine.",
    Route.LLM_SHOWS: "Only the LLM wants to show something, which changes nothing.",
    Route.ONLY_LLM: "Only the LLM wants this, so it is offered.",
    Route.ONLY_ENGINE: "Only the engine wants this, and is not sure enough: it is offered.",
    Route.LANES_DIFFER: "The lanes want different things, and neither is sure enough: the likelier one is offered.",
    Route.BOTH_OFFERED: "The lanes want different changes, and neither is sure enough: you are asked which.",
    Route.NOT_LIKELY: "Only the LLM wants something, and it is not likely to be meant: nothing is done.",
    Route.NOT_ASKED: "The engine would ask, the LLM sees no request, and none is likely: nothing is asked.",
    Route.GUARDED: "A guard speaks against what the LLM wants: it is never done.",
    Route.LLM_LOADING: "The model is still getting ready, so the engine decided.",
    Route.LLM_BUSY: "The model was busy with other messages, so the engine decided.",
    Route.LLM_SLOW: "The model takes long, so the engine decided without it.",
    Route.LLM_STEPS_IN: "The engine would only have asked back, so the LLM decided.",
    Route.LLM_NO_HELP: "Neither lane saw a request, so the engine's reply stands.",
    Route.LLM_APPROVED: "The LLM proposed, and the engine found nothing against it.",
    Route.ENGINE_VETOED: "The LLM proposed a call, but the engine reads no request in this message.",
    Route.ENGINE_DIFFERS: "The lanes would do different things, so you are asked first.",
    Route.ANSWERED: "This answered the open question, which the engine reads whoever drives.",
    Route.LLM_FAILED: "The LLM gave no answer, so the engine decided.",
    Route.LLM_BROKEN: "The LLM asked for a call that cannot be made, so the engine decided.",
    Route.LLM_OFF: "The LLM lane is off, so the engine decided.",
    Route.CUT_OFF: "The LLM drove, and was cut off before it had finished.",
}
