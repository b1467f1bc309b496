"""Opponents: they choose a move from what their seat knows, never from the state. Pure, as the rules are."""
