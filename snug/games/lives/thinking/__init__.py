"""How a sharp player of Irish Lives thinks: what it knows of hidden cards, and how deals may end."""
