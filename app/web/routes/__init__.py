"""Read the request, one service call, respond."""
