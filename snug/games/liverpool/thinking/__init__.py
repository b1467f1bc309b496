"""How a Liverpool hand is weighed and how a sharp player thinks: its plan, hands as numbers, quick play-outs, and the
moves worth a thought."""
