"""The Policy page: why a message was misread, the fix, what it does to everything known, and its versions."""
