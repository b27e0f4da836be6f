"""Conversations: whole dialogues on a real store, written down with what a careful assistant would do in each turn."""
