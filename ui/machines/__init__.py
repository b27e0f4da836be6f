"""The Machines page: the chat with the machines, the fleet, and the bench."""
