"""Tournaments as they are read: by one person at a time, never with a deck in them."""
