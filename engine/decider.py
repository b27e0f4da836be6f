"""The rule-based decider: text and Context in, Decision out. It keeps nothing between calls."""

from __future__ import annotations

from pathlib import Path

from engine.decision import Context, Decider, Decision, Reason


class RuleDecider:
    """Skeleton: every message is unknown until the stages are in place."""

    def __init__(self, policy: object | None = None) -> None:
        self.policy = policy

    def decide(self, text: str, context: Context) -> Decision:
        reason = Reason.NOT_ABOUT_TASKS if text.strip() else Reason.EMPTY
        return Decision(decider="rules", action="reply", intent="unknown", reason=reason, confidence=0.0)


def load_decider(name: str = "rules", policy_path: Path | None = None) -> Decider:
    """`rules` (with the policy of a file, if named) or `baseline`."""
    if name == "baseline":
        from engine.baseline import BaselineDecider

        return BaselineDecider()
    if name != "rules":
        raise ValueError(f"there is no decider called {name!r}; there are: rules, baseline")
    return RuleDecider()
