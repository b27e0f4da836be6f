"""The decision engine: pure functions over values. It imports no framework and no other room."""
