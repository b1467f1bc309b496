"""The form for a tournament: its fields in three steps, what is read from it, and what would come of it."""
