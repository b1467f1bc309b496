"""One's own corner."""
