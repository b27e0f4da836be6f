"""What an assistant can do, as data and typed signatures: a folder a domain."""
