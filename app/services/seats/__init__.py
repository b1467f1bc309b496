"""Who sits where, and what becomes of a seat."""
