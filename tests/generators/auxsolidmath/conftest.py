"""The standard set's items, made once a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generators.auxsolidmath.source import AuxSolidMathSource

if TYPE_CHECKING:
    from generators.items import Item


@pytest.fixture(scope="session")
def standard_items() -> list[Item]:
    return list(AuxSolidMathSource())
