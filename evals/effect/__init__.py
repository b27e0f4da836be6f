"""What an edit of a policy changes: over cases, conversations, saved cases, turns of the past and files of messages."""
