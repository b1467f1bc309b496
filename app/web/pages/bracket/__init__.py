"""A knockout as a bracket, and the groups before it."""
