"""Evaluate: data sets, runs over several deciders, and what can be said of them; see docs/evaluate.md."""
