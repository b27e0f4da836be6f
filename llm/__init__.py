"""The LLM lane: function calling over any OpenAI-compatible endpoint, with a model of its own when there is no key."""
