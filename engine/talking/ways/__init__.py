"""Ways of saying that a language lists (`acts/`): which fit, which is heard, and what comes of each act."""
