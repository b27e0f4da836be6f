"""Lists in any words: another filter, the next page, the rest."""
