"""What was said and decided: conversations, turns, and looking back on them."""
