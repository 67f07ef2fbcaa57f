"""A small executor for Tidemark: it keeps the rules R1 to R28 of docs/reference/executor-protocol.md."""
