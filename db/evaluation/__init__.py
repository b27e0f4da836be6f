"""Labelled cases, comparisons and verdicts."""
