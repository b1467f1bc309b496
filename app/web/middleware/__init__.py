"""What stands in front of the routes."""
