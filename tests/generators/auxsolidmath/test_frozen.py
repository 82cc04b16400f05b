"""The standard set is frozen: digests always, pixels for the library versions they were frozen with."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from tests.generators.auxsolidmath.freeze import FIXTURE, frozen_pixels

if TYPE_CHECKING:
    from generators.items import Item


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
    return content


@pytest.mark.sweep
def test_digests_are_the_frozen_ones(standard_items: list[Item], frozen: dict[str, Any]) -> None:
    assert {item.id: item.digest for item in standard_items} == frozen["digests"]


@pytest.mark.sweep
def test_pixels_are_the_frozen_ones(standard_items: list[Item], frozen: dict[str, Any]) -> None:
    for name, held in frozen["pixels"]["versions"].items():
        if version(name) != held:
            pytest.skip(f"picture hashes hold for {name} {held}, installed is {version(name)}")
    drawn = frozen_pixels(standard_items)
    assert len(drawn) == 28
    assert drawn == frozen["pixels"]["sha256"]
