"""What every card game stands on: pure values and functions. No web, database, clock or randomness."""
