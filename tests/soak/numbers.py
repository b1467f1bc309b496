"""What a part of the soak hands over."""

Numbers = dict[str, float]
"""What was counted and measured, by the names that the part's sentence in `promises.json` uses."""
