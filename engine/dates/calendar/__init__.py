"""Days that are told by the calendar: counted in a month, parts of months, feasts, told from one another."""
