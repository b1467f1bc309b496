"""Moves and what follows from them."""
