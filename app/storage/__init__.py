"""What is kept, and how: the database, its tables, the one way to write, who waits for news."""
