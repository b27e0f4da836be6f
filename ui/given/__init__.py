"""A message with the context it is decided in: typed, or as it was recorded. Inspect and Policy begin with one."""
