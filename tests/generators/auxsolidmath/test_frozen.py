"""The standard set is frozen: digests always, pixels for the library versions they were frozen with."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import pytest

from generators.auxsolidmath import AuxSolidMathSource
from tests.generators.auxsolidmath.freeze import FIXTURE, frozen_pixels

SOURCE = AuxSolidMathSource()


@pytest.fixture(scope="module")
def frozen() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
    return content


def test_digests_are_the_frozen_ones(frozen: dict[str, Any]) -> None:
    assert {item.id: item.digest for item in SOURCE} == frozen["digests"]


def test_pixels_are_the_frozen_ones(frozen: dict[str, Any]) -> None:
    for name, held in frozen["pixels"]["versions"].items():
        if version(name) != held:
            pytest.skip(f"picture hashes hold for {name} {held}, installed is {version(name)}")
    drawn = frozen_pixels(SOURCE)
    assert len(drawn) == 28
    assert drawn == frozen["pixels"]["sha256"]
