"""What a message means by what was done, shown or asked before it, and by what is in the store."""

from engine.talking.hearing import hear

__all__ = ["hear"]
