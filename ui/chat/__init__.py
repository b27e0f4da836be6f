"""The Chat page: its bar, the conversation, the demonstrations, the tasks beside."""
