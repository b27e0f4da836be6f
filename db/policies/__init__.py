"""Versions of policies: whole, named by their digest, each with what it changed and what that was known to do."""
