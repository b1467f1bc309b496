"""How hard the property tests try."""

import tests.hypothesis_profiles  # noqa: F401 - importing it loads the profile
