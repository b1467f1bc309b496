"""Bugs as patches against the application, which the simulation must find: see `__main__`."""
