"""The calls of MCP clients, as Tools and History show them."""
