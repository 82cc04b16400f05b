"""Every family has all that belongs to one, and what is frozen stays; one line says what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bench.models.reader.plots.families import find_family
from bench.models.reader.plots.readings import CannotReadError
from bench.suites.blind_constants import blind_constants
from generators.plotchain import PlotChainSource
from generators.plotchain.family import EDITIONS, PlotFamily
from tests.generators.plotchain.freeze import (
    COMMAND,
    family_of,
    fixture,
    frozen,
    frozen_pictures,
    other_versions,
    pixel_hash,
)
from tests.generators.plotchain.v4 import test_second_route as v4_routes
from tests.generators.plotchain.v5 import second_route as v5_routes

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.items import Item

    Check = Callable[[str, Item], bool]


def _has_baseline(edition: str, item: Item) -> bool:
    return type(EDITIONS[edition].family(item.family)).baseline is not PlotFamily.baseline


def _has_second_route(edition: str, item: Item) -> bool:
    return item.family in (v4_routes.ROUTES if edition == "v4" else v5_routes.FAMILIES)


def _has_tolerances(edition: str, item: Item) -> bool:
    return not EDITIONS[edition].has_own_tolerances or set(item.truth) <= set(item.tolerances)


def _has_constants(edition: str, item: Item) -> bool:
    return set(item.truth) <= set(blind_constants(edition).get(item.family, {}))


def _has_digests(edition: str, item: Item) -> bool:
    content = frozen(fixture(edition))
    digests, pictures = (map(family_of, names) for names in (content["digests"], content["pixels"]["sha256"]))
    return (list(digests).count(item.family), list(pictures).count(item.family)) == (30, 3)


def _has_reader(edition: str, item: Item) -> bool:
    try:
        return find_family([*item.truth], "V4" if edition == "v4" else "V5").name == item.family
    except CannotReadError:
        return False


PIECES: dict[str, tuple[Check, str]] = {
    "baseline": (_has_baseline, "write `baseline` in generators/plotchain/{edition}/families/{family}.py"),
    "second route": (_has_second_route, "write tests/generators/plotchain/{edition}/second_route/{family}.py"),
    "tolerances": (
        _has_tolerances,
        "return a reading of every field in generators/plotchain/{edition}/families/{family}.py",
    ),
    "blind constants": (_has_constants, f"run {COMMAND}"),
    "frozen digests": (_has_digests, f"run {COMMAND}"),
    "pixel reader": (_has_reader, "write bench/models/reader/plots/families/{family}.py"),
}


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize(
    ("edition", "family"), [(edition.name, family) for edition in EDITIONS.values() for family in edition.families]
)
def test_a_family_is_complete(edition: str, family: str, piece: str) -> None:
    source = PlotChainSource(edition=edition, items_per_family=1)
    has, remedy = PIECES[piece]
    if not has(edition, source.item(source.case(f"{family}_000"))):
        remedy = remedy.format(edition=edition, family=family)
        pytest.fail(f"{family} of edition {edition} lacks its {piece}: {remedy}", pytrace=False)


@pytest.mark.parametrize("edition", EDITIONS)
def test_digests_are_the_frozen_ones(edition: str, items: list[Item], v5_items: list[Item]) -> None:
    expected = frozen(fixture(edition))["digests"]
    ours = {item.id: item.digest for item in {"v4": items, "v5": v5_items}[edition]}

    changed = sorted({family_of(name) for name, digest in expected.items() if ours.get(name) != digest})
    assert changed == [], f"if they were changed on purpose: {COMMAND} {edition} {' '.join(changed)}"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    "share", [pytest.param(11, id="some"), pytest.param(1, id="all", marks=pytest.mark.sweep)]
)
def test_pixels_are_the_frozen_ones(edition: str, share: int) -> None:
    content = frozen(fixture(edition))
    if reason := other_versions(content):
        pytest.skip(reason)
    expected = content["pixels"]["sha256"]
    pictures = frozen_pictures(PlotChainSource(edition=edition), {*map(family_of, expected)})

    drawn = {item.id: pixel_hash(item.picture.png()) for item in pictures[::share]}

    assert [item.id for item in pictures] == [*expected]
    changed = sorted({family_of(name) for name, digest in drawn.items() if digest != expected[name]})
    assert changed == [], f"if they were changed on purpose: {COMMAND} {edition} {' '.join(changed)}"
