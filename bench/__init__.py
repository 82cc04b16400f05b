"""The benchmark: cases, models, results and what is said about them."""
