"""The Inspect page: one message taken apart, step by step, in a context that can be edited."""
