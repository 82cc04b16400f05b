"""A pytest plugin for runs of tests: writes whether the report's modules were there before the first test ran."""

import sys
from pathlib import Path

import pytest

NOTE = Path("imported_early")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Write it once."""
    if not NOTE.exists():
        NOTE.write_text(str("bench.report.page" in sys.modules))
