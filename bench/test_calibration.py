"""Calibration: how far a judge agrees with labelled solutions; run only where -m names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.recording import fail_unless_passed

if TYPE_CHECKING:
    from bench.recording import Recorder
    from bench.session import Answer
    from generators.items import Item


@pytest.mark.calibration
def test_calibration(item: Item, reply: tuple[Answer, ...], record: Recorder) -> None:
    """The judge's verdict on a labelled solution is the label."""
    fail_unless_passed(record(item, reply))
