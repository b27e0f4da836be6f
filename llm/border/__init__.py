"""What an endpoint sends, before anything else sees it: so many bytes at the most, of these types, as whole text."""
