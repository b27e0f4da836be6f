"""Machines: a simulated fleet with its state, readings and tools."""
