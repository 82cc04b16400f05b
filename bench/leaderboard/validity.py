"""Measures what the items themselves are worth: `python -m bench.leaderboard.validity`."""

from __future__ import annotations

import sys

from bench.validity.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
