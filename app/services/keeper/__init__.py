"""What whoever keeps the room sees of it and does to it."""
