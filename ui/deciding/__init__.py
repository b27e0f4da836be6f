"""Who decides: chosen and added in the same way wherever several deciders are asked."""
