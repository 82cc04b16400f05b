"""PlotChain: read numbers off engineering plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.recording import fail_unless_passed

if TYPE_CHECKING:
    from bench.recording import Recorder
    from bench.session import Answer
    from generators.items import Item


@pytest.mark.plotchain
def test_plotchain(item: Item, reply: tuple[Answer, ...], record: Recorder) -> None:
    """The model reads every final field within its tolerance."""
    fail_unless_passed(record(item, reply))
