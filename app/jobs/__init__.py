"""What runs beside the requests: due times, presence, notifications."""
