"""Tournaments: they listen to play and seats, and are called by neither."""
