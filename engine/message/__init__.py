"""The message as a whole: its requests in their order, its clauses, what is told before it and left out."""
