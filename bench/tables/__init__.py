"""Tables of a run: their columns, their rows, and the CSV files they are written to."""
