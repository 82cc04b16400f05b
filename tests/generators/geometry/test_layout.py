"""Rules that every picture of every seed obeys, checked on the parameters."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.errors import ItemDataError
from generators.geometry import GeometrySource, list_images
from generators.geometry.classes.hsdn import noise_clearance_um
from generators.geometry.layout import (
    BORDER_GAP_UM,
    DOT_GAP_UM,
    LATTICE_DOT_UM,
    MARGIN_UM,
    DotDraws,
    PlacementBox,
    hexagonal_lattice,
    place_dots,
)
from generators.geometry.source import make_record

if TYPE_CHECKING:
    from generators.geometry.records import PictureRecord

IDS = [ref.id for ref in list_images()]
SLACK_UM = 0.003
SITES = {8.0: 104, 12.0: 45, 16.0: 30}
SEEDS = st.integers(min_value=0, max_value=2**31 - 1)


def assert_obeys_the_rules(record: PictureRecord) -> None:
    _assert_whole_dots_apart(record)
    if record.spacing_um is not None:
        _assert_lattice(record, record.spacing_um)


def _assert_whole_dots_apart(record: PictureRecord) -> None:
    canvas = record.canvas
    for dot in record.dots:
        reach = dot.diameter_um / 2 + BORDER_GAP_UM - SLACK_UM
        assert reach <= dot.x_um <= canvas.width_um - reach, record.id
        assert reach <= dot.y_um <= canvas.height_um - reach, record.id
    for one, other in combinations(record.dots, 2):
        least = (one.diameter_um + other.diameter_um) / 2 + DOT_GAP_UM - SLACK_UM
        dx, dy = one.x_um - other.x_um, one.y_um - other.y_um
        assert dx * dx + dy * dy >= least * least, record.id


def _assert_lattice(record: PictureRecord, spacing: float) -> None:
    lattice = [dot for dot in record.dots if dot.role == "lattice"]
    noise = [dot for dot in record.dots if dot.role == "noise"]
    removed = record.removed or ()
    sites = [(dot.x_um, dot.y_um) for dot in lattice] + [(site.x_um, site.y_um) for site in removed]
    assert len(sites) == SITES[spacing], record.id
    if record.displacement_um:
        assert not noise
        assert not removed
        return
    for x, y in sites:
        assert MARGIN_UM - SLACK_UM <= x <= record.canvas.width_um - MARGIN_UM + SLACK_UM
        assert MARGIN_UM - SLACK_UM <= y <= record.canvas.height_um - MARGIN_UM + SLACK_UM
    for dot in noise:
        nearest = min(math.hypot(dot.x_um - x, dot.y_um - y) for x, y in sites)
        assert nearest >= noise_clearance_um(spacing) - SLACK_UM, record.id
    for site in removed:
        around = sum(abs(math.hypot(site.x_um - x, site.y_um - y) - spacing) < 0.01 for x, y in sites)
        assert around == 6, f"{record.id}: a removed site is not in the interior"


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, image_id=st.sampled_from(IDS))
def test_no_dot_is_cut_overlaps_or_sits_where_it_must_not(seed: int, image_id: str) -> None:
    assert_obeys_the_rules(GeometrySource(seed=seed).record(image_id))


@pytest.mark.sweep
@pytest.mark.parametrize("image_id", IDS)
def test_every_picture_of_another_seed_obeys_the_rules(image_id: str) -> None:
    assert_obeys_the_rules(GeometrySource(seed=len(image_id)).record(image_id))


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(seed=SEEDS)
def test_two_thousand_whole_suites_obey_the_rules(seed: int) -> None:
    source = GeometrySource(seed=seed)
    for image_id in IDS:
        assert_obeys_the_rules(source.record(image_id))


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, spacing=st.sampled_from([8.0, 12.0, 16.0]), displacement=st.sampled_from([1.0, 2.0]))
def test_every_perturbed_dot_is_moved_by_half_to_all_of_the_displacement(
    seed: int, spacing: float, displacement: float
) -> None:
    record = make_record("HSRP", "HSRP_x", {"spacing_um": spacing, "displacement_um": displacement}, seed=seed)
    lattice = hexagonal_lattice(spacing, DotDraws(seed))
    moves = [
        math.hypot(dot.x_um - site.x_um, dot.y_um - site.y_um)
        for dot, site in zip(record.dots, lattice.sites, strict=True)
    ]

    assert displacement / 2 - SLACK_UM <= min(moves)
    assert max(moves) <= displacement + SLACK_UM


def test_the_numbers_of_missing_and_extra_dots_follow_from_the_rates() -> None:
    record = GeometrySource().record("HSDN_sp12_d10_n5_wb")

    assert len(record.removed or ()) == 5  # 4.5 of 45 sites, half rounded up
    assert sum(dot.role == "noise" for dot in record.dots) == 2  # 2.25


def test_every_size_of_a_mix_occurs() -> None:
    for ref in list_images(["USDS"]):
        sizes = {dot.diameter_um for dot in GeometrySource().record(ref.id).dots}
        assert sizes == {float(digit) for digit in ref.id.split("_")[1][1:]}


def test_asking_for_more_dots_than_fit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generators.geometry.layout.MAX_TRIES", 50)
    box = PlacementBox(left_um=10, right_um=11, top_um=10, bottom_um=11)

    with pytest.raises(
        ItemDataError, match=r"expected room for a dot of 3.0 um beside 1 others, found none in 50"
    ):
        place_dots(DotDraws(1), [LATTICE_DOT_UM] * 2, role="noise", box=box)
