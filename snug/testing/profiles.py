"""How hard the property tests try: HYPOTHESIS_PROFILE=thorough plays thousands of games, else a fixed choice; brisk is
for `make quick`."""

import os

from hypothesis import settings

settings.register_profile("quick", max_examples=12, deadline=None, derandomize=True, database=None)
settings.register_profile("brisk", max_examples=4, deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", max_examples=2000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
