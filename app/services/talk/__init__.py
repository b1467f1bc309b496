"""What people say."""
