"""What the engine goes by, in words: several pages tell of its rules."""
