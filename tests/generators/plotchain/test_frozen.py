"""Edition v4 is frozen: digests always, pixels for the library versions they were frozen with."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pytest

from tests.generators.plotchain.freeze import FIXTURE, frozen_pictures, pixel_hash

if TYPE_CHECKING:
    from generators.items import Item
    from generators.plotchain import PlotChainSource


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
    return content


def test_digests_are_the_frozen_ones(items: list[Item], frozen: dict[str, Any]) -> None:
    assert {item.id: item.digest for item in items} == frozen["digests"]


def test_pixels_are_the_frozen_ones(source: PlotChainSource, frozen: dict[str, Any]) -> None:
    for name, held in frozen["pixels"]["versions"].items():
        if version(name) != held:
            pytest.skip(f"picture hashes hold for {name} {held}, installed is {version(name)}")

    drawn = {
        item_id: pixel_hash(source.item(source.case(item_id)).picture.png()) for item_id in frozen_pictures(source)
    }

    assert len(drawn) == 45
    assert drawn == frozen["pixels"]["sha256"]
