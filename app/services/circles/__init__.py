"""Circles: people who meet again, their evenings, and what their games come to over time."""
