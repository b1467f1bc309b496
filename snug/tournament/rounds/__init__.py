"""Ways to spread people over tables: by design, by rotation, by search."""
