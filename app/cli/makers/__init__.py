"""Commands for makers of games and for work on the room: nothing that a room needs while it is open."""
