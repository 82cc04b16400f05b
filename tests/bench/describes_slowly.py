"""A pytest plugin for runs of tests: pytest takes long to describe where Ctrl-C stopped it."""

import time
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_keyboard_interrupt() -> None:
    time.sleep(0.5)  # what was on its way when the key was pressed has arrived
    Path("described.txt").write_text(str(time.monotonic()))
    time.sleep(1.5)
