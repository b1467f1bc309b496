"""How hard the property tests try."""

import snug.testing.profiles  # noqa: F401 - importing it loads the profile
