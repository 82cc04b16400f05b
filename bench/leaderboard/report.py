"""Writes a finished run's page again: `python -m bench.leaderboard.report RUN`."""

from __future__ import annotations

import sys

from bench.report.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
