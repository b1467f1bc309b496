"""How a sharp Liverpool player thinks: hands as numbers, quick play-outs of a hand, and the moves worth a thought."""
