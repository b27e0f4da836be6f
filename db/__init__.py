"""The store: the only room that imports sqlmodel. Rows stay inside; snapshots and results go out."""
