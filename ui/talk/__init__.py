"""A conversation, whatever its domain: Chat and Machines draw their turns with it."""
