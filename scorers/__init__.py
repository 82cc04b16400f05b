"""Pure functions from reply text and truth to scores: no network, no pytest, no files."""
