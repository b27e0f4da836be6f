"""Tasks: the service, its queries and files, and the tools on them."""
