"""The library: card games, their rules, bots and tournaments as pure values and functions, with nothing of web,
database or clock. The room in `app/` plays them; a game made elsewhere imports this."""
