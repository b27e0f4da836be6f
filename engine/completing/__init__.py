"""Completing a call that arrived incomplete: completed if there is one way, asked back if there are several, refused if
there is none. What is general about it; a domain brings its tools, its words and its sentences."""
