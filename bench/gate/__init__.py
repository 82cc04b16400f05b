"""Whether a new model may replace an old one: two runs of the same cases, one verdict with an exit code."""
