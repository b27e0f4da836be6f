"""What the server tells those who run it: figures, spans and log lines. No room's words, no person's name."""
