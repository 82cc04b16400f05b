"""Editions are frozen: digests always, pixels for the library versions they were frozen with."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import pytest

from generators.plotchain import PlotChainSource
from generators.plotchain.registry import EDITIONS
from tests.generators.plotchain.freeze import fixture, frozen_pictures, pixel_hash


def _frozen(edition: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(fixture(edition).read_text(encoding="utf-8"))
    return content


@pytest.mark.parametrize("edition", EDITIONS)
def test_digests_are_the_frozen_ones(edition: str) -> None:
    assert {item.id: item.digest for item in PlotChainSource(edition=edition)} == _frozen(edition)["digests"]


@pytest.mark.sweep
@pytest.mark.parametrize("edition", EDITIONS)
def test_pixels_are_the_frozen_ones(edition: str) -> None:
    frozen = _frozen(edition)
    for name, held in frozen["pixels"]["versions"].items():
        if version(name) != held:
            pytest.skip(f"picture hashes hold for {name} {held}, installed is {version(name)}")
    source = PlotChainSource(edition=edition)

    drawn = {
        item_id: pixel_hash(source.item(source.case(item_id)).picture.png()) for item_id in frozen_pictures(source)
    }

    assert len(drawn) == 45
    assert drawn == frozen["pixels"]["sha256"]
