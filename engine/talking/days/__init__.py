"""Which day or time is meant, where the words alone do not say it."""
