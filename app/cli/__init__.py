"""The command `snug`."""
