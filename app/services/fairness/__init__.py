"""What deals are proved with, as it is stored: sealed secrets, cuts, and what a restore does to them."""
