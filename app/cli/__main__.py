"""`python -m app.cli`."""

from app.cli.parser import main

main()
