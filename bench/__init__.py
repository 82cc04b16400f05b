"""The benchmark: cases, models, results and what is said about them."""

import time

__all__ = ["STARTED_NS"]

STARTED_NS = time.time_ns()
"""When this process began to import the code: what is newer on disk may not be what runs."""
