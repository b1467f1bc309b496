"""What pages read; writes nothing."""
