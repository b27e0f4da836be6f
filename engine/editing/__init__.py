"""Edits of a policy as values, and what they make of the files of a language folder."""
