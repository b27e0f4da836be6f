"""Fixes for misread messages: candidate edits found by search, each verified by running it."""
