"""AuxSolidMath: solve solid-geometry problems, with auxiliary lines described or drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.recording import fail_unless_passed

if TYPE_CHECKING:
    from bench.recording import Recorder
    from bench.session import Answer
    from generators.items import Item


@pytest.mark.auxsolidmath
def test_auxsolidmath(item: Item, reply: tuple[Answer, ...], record: Recorder) -> None:
    """The model's solution reaches the right conclusion, and its reasoning holds where a judge reads it."""
    fail_unless_passed(record(item, reply))
