"""The Tasks page: the table that is edited in place, and its dialogs."""
