"""Things of domains that have no tables of their own."""
