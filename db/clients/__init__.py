"""Programs that use the tools: their tokens and calls."""
