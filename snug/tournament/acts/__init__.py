"""What organisers do in the hall while a stage is played."""
