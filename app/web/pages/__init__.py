"""What pages are drawn from."""
