"""The standard suite's items, made once, and the share of them that a default run goes through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generators.geometry import GeometrySource

if TYPE_CHECKING:
    from generators.items import Item


@pytest.fixture(scope="session")
def suite_items() -> tuple[Item, ...]:
    """All items of the standard suite, in its order."""
    return tuple(GeometrySource())


@pytest.fixture(
    scope="session", params=[pytest.param(7, id="some"), pytest.param(1, id="all", marks=pytest.mark.sweep)]
)
def items(request: pytest.FixtureRequest, suite_items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Every seventh item, of every class one at least; all of them in a sweep."""
    return suite_items[:: request.param]
