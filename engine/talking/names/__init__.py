"""What is named: stored things, new ones, and names put right."""
