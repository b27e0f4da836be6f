"""One turn of a chat, from the message to the record of it: the one room where engine, llm and db meet."""

from assistant.turn_values import Lanes, OpenTurn, TurnCutOffError, TurnInProgressError
from assistant.turns import Assistant

__all__ = ["Assistant", "Lanes", "OpenTurn", "TurnCutOffError", "TurnInProgressError"]
