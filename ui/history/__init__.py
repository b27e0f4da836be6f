"""The History page: every turn, its charts and filters, the review queue and the replay."""
