"""What a Liverpool table's page is made of: the melds on the table, those in the making, what is to be done."""
