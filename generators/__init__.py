"""Deterministic items: parameters in, picture, exact truth and prompt out."""
