"""What is said about a run: tables and statistics, computed from records alone."""
