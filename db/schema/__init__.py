"""The schema's versions, read top to bottom in `migrations`."""
