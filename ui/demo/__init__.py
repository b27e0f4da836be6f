"""The Demo page: scenarios that play themselves through both lanes, and the score at their end."""
