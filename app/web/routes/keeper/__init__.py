"""Reports, and the page of whoever keeps the room."""
