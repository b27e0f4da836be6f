"""Weights learned anew from cases: what they noticed, what it should have been, and the table that says so."""
