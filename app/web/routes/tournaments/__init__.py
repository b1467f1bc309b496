"""Tournaments: opened and set up, read, and what people and organisers do there."""
