"""What reaches people who have no page open: who wants to hear, and one class for each kind of notice."""
