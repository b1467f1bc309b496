"""People who play over HTTP as browsers do: for load tests and soak runs."""
