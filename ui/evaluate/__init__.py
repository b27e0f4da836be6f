"""The Evaluate page: how good a decider is, what changed, and which threshold to choose."""
