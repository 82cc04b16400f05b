"""How many pixels a tolerance leaves: exact on axes and formulas that can be worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.validity.readings import MOST_PX, V4_READINGS, AxisReading, FieldFormula, pixel_tolerance
from generators.plotchain.family import edition_named
from generators.plotchain.pictures import DrawnAxes, DrawnAxis
from generators.plotchain.source import PlotChainSource

X = DrawnAxis(low=0.0, high=10.0, length_px=500.0, is_log=False)
Y = DrawnAxis(low=1.0, high=1000.0, length_px=300.0, is_log=True)
AXES = DrawnAxes(x=X, y=Y)


def reading(*values: float, axis: str = "x") -> tuple[AxisReading, ...]:
    return tuple(AxisReading(axis="x" if axis == "x" else "y", value=value) for value in values)


def test_one_reading_may_be_off_by_the_tolerance_over_the_scale() -> None:
    found = pixel_tolerance(
        FieldFormula(readings=reading(4.0), formula=lambda read: read[0]),
        AXES,
        lambda answer: abs(answer - 4) <= 0.1,
    )
    assert found.one_px == pytest.approx(5.0, abs=0.002)
    assert found.all_px == pytest.approx(5.0, abs=0.002)


def test_two_ends_of_a_length_share_what_it_may_be_off() -> None:
    length = FieldFormula(readings=reading(2.0, 6.0), formula=lambda read: read[1] - read[0])
    found = pixel_tolerance(length, AXES, lambda answer: abs(answer - 4) <= 0.1)
    assert found.one_px == pytest.approx(5.0, abs=0.002)
    assert found.all_px == pytest.approx(2.5, abs=0.002)


def test_a_logarithmic_axis_is_fine_downwards_of_a_relative_tolerance() -> None:
    level = FieldFormula(readings=reading(100.0, axis="y"), formula=lambda read: read[0])
    found = pixel_tolerance(level, AXES, lambda answer: abs(answer - 100) <= 10)
    assert found.one_px == pytest.approx(100 * math.log10(1.1), abs=0.002)


def test_the_level_of_a_crossing_counts_by_the_slope() -> None:
    crossing = FieldFormula(
        readings=(AxisReading(axis="x", value=5.0), AxisReading(axis="y", value=100.0, is_place=False)),
        formula=lambda read: read[0] + math.log10(read[1] / 100.0) / 2,
    )
    found = pixel_tolerance(crossing, AXES, lambda answer: abs(answer - 5) <= 0.1)
    # Per pixel 0.02 from x, 0.005 from y.
    assert found.one_px == pytest.approx(5.0, abs=0.002)
    assert found.all_px == pytest.approx(0.1 / 0.025, abs=0.002)


def test_readings_that_make_no_sense_fail() -> None:
    logarithm = FieldFormula(readings=reading(0.05), formula=lambda read: math.log(read[0]))
    found = pixel_tolerance(logarithm, AXES, lambda answer: answer <= 5)
    assert found.one_px == pytest.approx(2.5, abs=0.002)  # 0.05 is 2.5 px above zero


def test_exact_readings_that_fail_leave_no_pixel() -> None:
    found = pixel_tolerance(
        FieldFormula(readings=reading(4.0), formula=lambda read: read[0]), AXES, lambda _: False
    )
    assert (found.one_px, found.all_px) == (0.0, 0.0)


def test_a_tolerance_wider_than_any_picture_is_cut() -> None:
    found = pixel_tolerance(FieldFormula(readings=reading(4.0), formula=lambda _: 1.0), AXES, lambda _: True)
    assert found.one_px == MOST_PX


@given(
    tolerance=st.floats(0.01, 0.5),
    weights=st.lists(st.floats(0.2, 3), min_size=1, max_size=4),
)
@settings(deadline=None, max_examples=50)
def test_all_together_is_never_wider_than_one_alone(tolerance: float, weights: list[float]) -> None:
    field = FieldFormula(
        readings=reading(*[5.0 for _ in weights]),
        formula=lambda read: sum(weight * one for weight, one in zip(weights, read, strict=True)),
    )
    truth = 5 * sum(weights)
    found = pixel_tolerance(field, AXES, lambda answer: abs(answer - truth) <= tolerance)
    assert found.all_px <= found.one_px + 0.002
    assert found.all_px == pytest.approx(50 * tolerance / sum(weights), abs=0.003)
    assert found.one_px == pytest.approx(50 * tolerance / max(weights), abs=0.003)


SLOPE_OF_THE_DRAWN_CURVE = {"cp_slope_db_per_decade": 0.2}
"""The truth is the asymptote's slope; two points of the curve, five corners up and at its end, give 19.83."""


@pytest.mark.parametrize("name", sorted(V4_READINGS))
def test_every_v4_field_follows_from_its_exact_readings(name: str) -> None:
    family = edition_named("v4").family(name)
    source = PlotChainSource(seed=5)
    for ref in (case for case in source.cases if case.family == name):
        params = family.restore(source.item(ref).params)
        truth, fields = family.truth(params), V4_READINGS[name](params)
        assert fields.keys() == truth.keys()
        for field, found in fields.items():
            exact = found.formula([one.value for one in found.readings])
            within = SLOPE_OF_THE_DRAWN_CURVE.get(field, 1e-9 * max(1.0, abs(truth[field])))
            assert exact == pytest.approx(truth[field], abs=within), (ref.id, field)


def test_the_table_holds_every_family_of_the_edition() -> None:
    assert sorted(V4_READINGS) == list(edition_named("v4").families)
