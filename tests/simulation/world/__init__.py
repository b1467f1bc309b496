"""The whole room in one process, in virtual time, from one number: see `__main__`."""
