"""The loopback server as a fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.loopback.server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(answer=lambda prompt: f"answer to {prompt}") as running:
        yield running
