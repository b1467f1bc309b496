"""`python -m app.cli`."""

import sys

from app.cli.parser import main

sys.exit(main())
