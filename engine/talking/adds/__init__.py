"""New things to do, in any words: where their names begin and end, and how many there are."""
