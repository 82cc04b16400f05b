"""Geometry: count, locate, measure and classify dots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.recording import fail_unless_passed

if TYPE_CHECKING:
    from bench.recording import Recorder
    from bench.session import Answer
    from generators.items import Item


@pytest.mark.geometry
def test_geometry(item: Item, reply: tuple[Answer, ...], record: Recorder) -> None:
    """The model answers one task about one picture."""
    fail_unless_passed(record(item, reply))
