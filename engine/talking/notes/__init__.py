"""Notes: given, written on, gone on with, taken away, and asked for."""
