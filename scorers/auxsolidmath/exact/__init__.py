"""The value of an answer and its comparison with the gold."""
