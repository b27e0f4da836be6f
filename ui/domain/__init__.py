"""The page of a domain that brings none of its own: a chat through both lanes, and its things beside it."""
