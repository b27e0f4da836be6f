"""The Settings page: connection, thresholds, composer, tokens and prices."""
