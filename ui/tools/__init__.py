"""The Tools page: the catalogue, the mapping, and how other programs connect."""
