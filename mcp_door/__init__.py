"""The tools over MCP. A room of small files rather than one `mcp_server.py`: what is told to clients, who asks,
questions and confirmations, and the two transports each have their own reasons to change."""
