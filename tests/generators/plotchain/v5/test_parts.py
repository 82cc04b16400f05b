"""The parts that families of v5 are made of: axes, ticks, readings, ringing, parameters."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.errors import PictureError
from generators.plotchain.pictures import PlotPicture
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import (
    FREQUENCY,
    Axis,
    AxisLabel,
    Frame,
    PlotParams,
    in_base_unit,
    linear_ticks,
    log_ticks,
    tick_text,
)
from generators.plotchain.v5.families.step_response import Ringing, with_overshoot
from generators.plotchain.v5.readings import half_width_px, slope_px
from tests.generators.plotchain.v5.conftest import V5, fresh
from tests.generators.plotchain.v5.seen import label_value

if TYPE_CHECKING:
    from generators.items import Item

NAME = AxisLabel(quantity="Frequency", unit="kHz")


def _axis(low: float, high: float, length_px: float = 810.0, *, is_log: bool = False) -> Axis:
    return Axis(name=NAME, low=low, high=high, length_px=length_px, is_log=is_log)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.floats(0.0, 810.0))
@settings(deadline=None)
def test_a_linear_axis_goes_there_and_back(low: float, span: float, place: float) -> None:
    axis = _axis(low, low + span)
    (value,) = axis.values(np.array([place]))

    assert axis.px(float(value)) == pytest.approx(place, abs=1e-4 * (1.0 + abs(low) / span))
    assert axis.pixels(np.array([value]))[0] == pytest.approx(axis.px(float(value)), abs=1e-9)


@given(st.floats(-6.0, 6.0), st.floats(0.5, 8.0), st.floats(0.0, 810.0))
@settings(deadline=None)
def test_a_log_axis_goes_there_and_back(low: float, decades: float, place: float) -> None:
    axis = _axis(10.0**low, 10.0 ** (low + decades), is_log=True)

    assert axis.px(float(axis.values(np.array([place]))[0])) == pytest.approx(place, abs=1e-6)


def test_limits_that_do_not_rise_are_refused() -> None:
    with pytest.raises(ValueError, match=r"expected finite, rising limits of the y axis, got 2.0 to 2.0"):
        PlotParams(x_min=0.0, x_max=1.0, y_min=2.0, y_max=2.0)
    with pytest.raises(ValueError, match="limits of the x axis"):
        PlotParams(x_min=0.0, x_max=math.inf, y_min=2.0, y_max=3.0)


def test_a_log_axis_from_zero_is_refused() -> None:
    params = PlotParams(x_min=0.0, x_max=1.0, y_min=2.0, y_max=3.0)

    with pytest.raises(ValueError, match=r"expected a logarithmic axis above zero, got 0.0"):
        Frame.around(params, x=NAME, y=NAME, log_x=True)


def test_an_unknown_unit_is_refused_with_those_allowed() -> None:
    assert in_base_unit(FREQUENCY, "kHz") == 1000.0
    with pytest.raises(ValueError, match="expected one of the units Hz, kHz, MHz, got 'GHz'"):
        in_base_unit(FREQUENCY, "GHz")


def test_a_unit_of_one_is_not_written() -> None:
    assert AxisLabel(quantity="Strain", unit="1").text == "Strain"
    assert NAME.text == "Frequency (kHz)"


@pytest.mark.parametrize(
    ("span", "intervals", "step"),
    [(100.0, 9, 10.0), (1.0, 4, 0.25), (4.24, 3, 1.0), (4.25, 3, 2.0), (7.0e-3, 6, 1e-3), (30.0, 3, 10.0)],
)
def test_the_step_is_the_nearest_round_one(span: float, intervals: int, step: float) -> None:
    ticks = linear_ticks(_axis(0.0, span), intervals=intervals, has_minor=False, side_by_side=False)

    assert ticks.step == step
    assert ticks.minor == ()


def test_minor_ticks_are_five_an_interval_and_never_on_a_major_one() -> None:
    ticks = linear_ticks(_axis(0.0, 10.0), intervals=4, has_minor=True, side_by_side=False)

    assert ticks.values == (0.0, 2.5, 5.0, 7.5, 10.0)
    assert len(ticks.minor) == 16


def test_labels_that_would_touch_are_thinned() -> None:
    close = linear_ticks(_axis(12_000.0, 12_012.7), intervals=9, has_minor=False, side_by_side=True)
    apart = linear_ticks(_axis(12_000.0, 12_012.7), intervals=9, has_minor=False, side_by_side=False)

    assert (close.step, apart.step) == (2.0, 1.0)


@given(st.floats(-1e4, 1e4), st.floats(-3.0, 5.0), st.sampled_from([(9, True), (6, True), (8, False), (3, False)]))
@settings(max_examples=60, deadline=None)
def test_any_linear_axis_has_two_labels_that_show_its_scale(
    low: float, exponent: float, how: tuple[int, bool]
) -> None:
    span = 10.0**exponent + abs(low) / 20.0
    ticks = linear_ticks(_axis(low, low + span), intervals=how[0], has_minor=True, side_by_side=how[1])

    assert len(ticks.values) >= 2
    assert all(low - 1e-6 * span <= value <= low + span * (1.0 + 1e-6) for value in ticks.values)
    assert [label_value(text) for text in ticks.labels] == pytest.approx(list(ticks.values), rel=1e-5, abs=1e-12)


@given(st.floats(-4.0, 4.0), st.floats(1.0, 7.4), st.sampled_from(["clean", "moderate", "edge"]))
@settings(max_examples=100, deadline=None)
def test_any_log_axis_has_two_labels(low: float, decades: float, difficulty: Any) -> None:
    ticks = log_ticks(_axis(10.0**low, 10.0 ** (low + decades), is_log=True), difficulty)

    assert len(ticks.values) >= 2
    assert ticks.step is None
    assert set(ticks.values) & set(ticks.minor) == set()
    assert (ticks.minor == ()) == (difficulty == "edge")
    assert [label_value(text) for text in ticks.labels] == pytest.approx(list(ticks.values), rel=1e-9)


@pytest.mark.parametrize(
    ("decades", "difficulty", "labels"),
    [
        ((0.0, 3.0), "clean", ("1", "2", "5", "10", "20", "50", "100", "200", "500", "1000")),
        ((0.0, 5.0), "clean", ("1", "10", "100", "1000", "10⁴", "10⁵")),
        ((0.0, 2.0), "moderate", ("1", "3", "10", "30", "100")),
        ((0.0, 3.0), "moderate", ("1", "10", "100", "1000")),
        ((0.1, 1.3), "edge", ("5", "10")),
        ((0.1, 1.9), "edge", ("5", "10", "50")),
        ((-0.1, 2.1), "edge", ("1", "10", "100")),
        ((3.9, 5.0), "clean", ("10⁴", "2·10⁴", "5·10⁴", "10⁵")),
        ((-5.0, -3.0), "edge", ("10⁻⁵", "10⁻⁴", "0.001")),
    ],
)
def test_log_labels_by_difficulty(decades: tuple[float, float], difficulty: Any, labels: tuple[str, ...]) -> None:
    low, high = decades
    assert log_ticks(_axis(10.0**low, 10.0**high, is_log=True), difficulty).labels == labels


def test_finer_log_labels_that_would_touch_give_way_to_decades() -> None:
    ticks = log_ticks(_axis(1e5, 2e9, is_log=True), "clean")
    narrow = log_ticks(_axis(1e5, 2e9, 300.0, is_log=True), "clean")

    assert (len(ticks.labels), narrow.labels) == (5, ("10⁵", "10⁶", "10⁷", "10⁸", "10⁹"))
    assert log_ticks(_axis(1.0, 1e4, 200.0, is_log=True), "clean").labels == ("1", "10", "100", "1000", "10⁴")


def test_minus_is_a_true_minus() -> None:
    assert tick_text(-0.25) == "−0.25"


def test_each_kind_of_reading_has_the_tolerance_of_the_rule() -> None:
    linear, log = _axis(0.0, 81.0), _axis(1.0, 10.0**8.1, is_log=True)

    assert readings.level(linear, 5.0).plotread == pytest.approx(0.45)
    kilo = replace(linear, name=AxisLabel("Frequency", "kHz", FREQUENCY))
    assert readings.level(kilo, 5.0).value == 5000.0
    assert readings.level(kilo, 5.0).plotread == pytest.approx(450.0)
    assert readings.level(linear, 5.0, slope_px=-1.0).plotread == pytest.approx(0.45 * math.sqrt(2.0), rel=1e-5)
    assert readings.level(log, 100.0).plotread == pytest.approx(100.0 * (10.0**0.045 - 1.0), rel=1e-5)
    crossed = readings.crossing(linear, 5.0, slope_px=-0.5, levels=(0.5,))
    assert crossed.plotread == pytest.approx(0.45 * math.hypot(1.0, 2.0, 1.0), rel=1e-5)
    assert crossed.strict == crossed.plotread / 2.0
    assert readings.extremum(linear, 5.0, half_width_px=9.0).plotread == pytest.approx(
        0.45 * math.sqrt(5.0), rel=1e-5
    )
    assert readings.slope(-3.0, rise_px=100.0, run_px=200.0).plotread == pytest.approx(
        3.0 * 4.5 * math.hypot(0.01, 0.01, 0.005, 0.005), rel=1e-5
    )
    assert crossed.lone_px == pytest.approx(4.5 * math.hypot(1.0, 2.0, 1.0) / 2.0)
    assert crossed.joint_px == pytest.approx(4.5 * math.hypot(1.0, 2.0, 1.0) / 4.0)


@given(st.floats(-9.0, 9.0))
@settings(deadline=None)
def test_decimals_resolve_the_tolerance_fifty_times_and_no_more(exponent: float) -> None:
    reading = readings.ratio(1.0, (10.0**exponent,))

    assert 10.0**-reading.decimals <= reading.plotread / 50.0 * (1.0 + 1e-9)
    assert 10.0 ** (1 - reading.decimals) > reading.plotread / 50.0 * (1.0 - 1e-9)


@pytest.mark.parametrize(("value", "sensitivities"), [(math.nan, (1.0,)), (1.0, ()), (1.0, (math.inf,))])
def test_a_reading_that_is_no_number_is_refused(value: float, sensitivities: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="expected finite value and sensitivities"):
        readings.ratio(value, sensitivities)


def test_slope_and_flatness_of_a_parabola() -> None:
    def curve(x: np.ndarray) -> np.ndarray:
        return 300.0 - 0.01 * (x - 400.0) ** 2

    assert slope_px(curve, 350.0) == pytest.approx(1.0, rel=1e-6)
    assert half_width_px(curve, 400.0, left_px=0.0, right_px=810.0) == pytest.approx(10.0, rel=1e-6)
    assert half_width_px(curve, 400.0, left_px=396.0, right_px=810.0) == pytest.approx(7.0, rel=1e-6)


@given(st.floats(0.15, 0.8), st.floats(0.05, 3.5))
@settings(max_examples=20, deadline=None)
def test_a_response_has_the_overshoot_asked_for(damping: float, overshoot: float) -> None:
    found = with_overshoot(damping, overshoot)
    without_zero = math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))

    if found is None:
        assert without_zero > overshoot * (1.0 - 1e-9)
        return
    times = np.linspace(0.0, found.extreme(1), 4001)
    deviations = np.array([found.deviation(float(time)) for time in times])
    assert found.overshoot == pytest.approx(overshoot, rel=1e-6)
    assert deviations.max() == pytest.approx(overshoot, rel=1e-4)
    assert deviations[0] == -1.0
    late = np.linspace(found.settling() * (1.0 + 1e-9), 3.0 * found.settling(), 500)
    assert max(abs(found.deviation(float(time))) for time in late) <= 0.1 + 1e-9
    assert abs(found.deviation(found.settling())) == pytest.approx(0.1, abs=1e-9)
    assert found.slope(found.extreme(0)) == pytest.approx(0.0, abs=1e-9)
    assert abs(found.deviation(found.settling())) <= found.envelope(found.settling())


@pytest.mark.parametrize(("damping", "sine_share"), [(0.0, 0.0), (1.0, 0.0), (0.5, 0.9)])
def test_a_response_that_is_none_of_these_is_refused(damping: float, sine_share: float) -> None:
    with pytest.raises(ValueError, match="expected a damped response that rises at once"):
        Ringing(damping=damping, sine_share=sine_share)


@pytest.mark.parametrize("family", V5.families)
def test_parameters_survive_json(family: str) -> None:
    for item in fresh(5, 4, family):
        params = V5.family(family).restore(json.loads(json.dumps(dict(item.params))))

        assert V5.family(family).dump(params) == item.params


def _broken(item: Item, change: dict[str, Any]) -> PlotPicture:
    kept = {name: value for name, value in item.params.items() if name not in change}
    return PlotPicture(
        item_id=item.id,
        edition="v5",
        family=item.family,
        params={**kept, **{name: value for name, value in change.items() if value is not None}},
        difficulty="edge",
        seed=0,
    )


@pytest.mark.parametrize(
    ("family", "change", "reason"),
    [
        ("time_waveform", {"noise_seed": None}, "plot_params of time_waveform: noise_seed missing; add it"),
        ("time_waveform", {"wave_type": "saw"}, "expected sine, triangle, or square with a duty, got 'saw'"),
        ("time_waveform", {"wave_type": "square", "duty": None}, "or square with a duty, got 'square', None"),
        ("pump_curve", {"end": 0.0}, "expected positive start, end and exponent"),
        ("pump_curve", {"x_max": -1e9}, "rising limits of the x axis"),
        ("spectrogram", {"noise_seed": 1.5}, r"noise_seed must be int \| None, got 1.5"),
        ("bode_phase", {"x_min": -1.0}, "expected a logarithmic axis above zero"),
        ("step_response", {"damping": 2.0}, "expected a damped response"),
        ("bandpass_response", {"f0": 0.0}, "cannot draw the picture"),
        ("iv_diode", {"curve_b_seed": -5}, "cannot draw the picture"),
    ],
)
def test_parameters_that_describe_no_picture_are_one_line(
    family: str, change: dict[str, Any], reason: str
) -> None:
    item = fresh(6, 1, family)[0]

    with np.errstate(all="raise"), pytest.raises(PictureError, match=reason) as caught:
        _broken(item, change).png()
    assert str(caught.value).startswith(item.id)
    assert "\n" not in str(caught.value)
