"""What a table is: its round, its clock, who may do what."""
