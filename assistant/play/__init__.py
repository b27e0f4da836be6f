"""A conversation held from a script: turns and buttons as on the Chat page, on a store that is gone afterwards."""
