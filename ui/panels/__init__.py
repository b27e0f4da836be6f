"""What stands beside a conversation: the tasks, the machines. Chat, Machines and Demo draw with it."""
