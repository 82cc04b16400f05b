"""The axes as they are drawn, against what is known of the pictures."""

from __future__ import annotations

import math

import pytest

from generators.errors import PictureError
from generators.plotchain.family import PlotCase, edition_named
from generators.plotchain.pictures import DrawnAxes, DrawnAxis, drawn_axes
from generators.plotchain.source import PlotChainSource


def axes_of(item_id: str) -> DrawnAxes:
    source = PlotChainSource()
    ref = source.case(item_id)
    family = edition_named("v4").family(ref.family)
    return drawn_axes(
        family, PlotCase(params=family.restore(source.item(ref).params), difficulty=ref.difficulty, seed=1)
    )


def test_plots_have_a_box_of_744_by_443_pixels() -> None:
    axes = axes_of("pump_curve_000")
    assert axes.x.length_px == pytest.approx(744, abs=0.5)
    assert axes.y.length_px == pytest.approx(443.5, abs=0.5)
    assert not axes.x.is_log


def test_pole_zero_has_limits_of_ten_both_ways() -> None:
    axes = axes_of("pole_zero_000")
    assert (axes.x.low, axes.x.high, axes.y.low, axes.y.high) == (-10, 10, -10, 10)
    assert axes.named("x").place_px(0) == pytest.approx(axes.x.length_px / 2)


def test_a_corner_frequency_stands_in_the_middle_of_a_logarithmic_axis() -> None:
    source = PlotChainSource()
    item = source.item(source.case("bode_magnitude_000"))
    corner = item.truth["cutoff_hz"]
    axes = axes_of(item.id)
    assert isinstance(corner, float)
    assert axes.x.is_log
    assert axes.x.place_px(corner) == pytest.approx(axes.x.length_px / 2, abs=0.01)
    assert axes.named("y") is axes.y


@pytest.mark.parametrize("is_log", [False, True])
def test_places_and_values_are_each_others_inverse(is_log: bool) -> None:
    axis = DrawnAxis(low=2.0, high=50.0, length_px=300.0, is_log=is_log)
    for place in (-20.0, 0.0, 100.0, 300.0):
        assert axis.place_px(axis.value_at(place)) == pytest.approx(place)


def test_a_logarithmic_axis_has_no_place_for_zero() -> None:
    axis = DrawnAxis(low=2.0, high=50.0, length_px=300.0, is_log=True)
    assert axis.place_px(0.0) == -math.inf


@pytest.mark.parametrize(
    "wrong", [{"low": 50.0}, {"length_px": 0.0}, {"low": 0.0, "is_log": True}, {"low": math.nan}]
)
def test_what_is_no_axis_is_refused(wrong: dict[str, float | bool]) -> None:
    with pytest.raises(ValueError, match="expected an axis from low to high over some pixels"):
        DrawnAxis(**{"low": 2.0, "high": 50.0, "length_px": 300.0, "is_log": False} | wrong)  # type: ignore[arg-type]


def test_parameters_that_cannot_be_drawn_are_named_by_family() -> None:
    family = edition_named("v4").family("iv_resistor")
    with pytest.raises(PictureError, match="iv_resistor: the axes cannot be laid out"):
        drawn_axes(
            family,
            PlotCase(
                params=family.restore({"R_ohm": 100.0, "i_max_a": 0.02, "n_points": -1}),
                difficulty="clean",
                seed=1,
            ),
        )
