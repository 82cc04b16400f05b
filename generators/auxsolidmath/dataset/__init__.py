"""The published data set: local copies of it read, with what their rows leave out."""
