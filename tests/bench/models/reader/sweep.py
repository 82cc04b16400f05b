"""Parameters of tests that go through a whole set: a few by default, the others in the sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["sweep"]


def sweep(values: Iterable[object], *, default: Collection[object]) -> list[object]:
    """Return the values, or tuples of values, with a mark on those that are not run by default."""
    return [
        value
        if value in default
        else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.sweep)
        for value in values
    ]
