"""The truth of v5 by routes of its own: measured on what is drawn (through noise too), simulated, recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import signal

from generators.plotchain.release import validate
from generators.plotchain.v5.plot import POINTS, points_px
from tests.generators.plotchain.v5.conftest import V5, fresh
from tests.generators.plotchain.v5.second_route import FAMILIES, read_fields
from tests.generators.plotchain.v5.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item


LOOSE = {"cp_duration_s": 0.2}
EXACT = 0.08


def _largest_errors(items: list[Item], axes: Callable[[Item], Axes]) -> dict[str, float]:
    """Largest error of the plain reader on clean pictures, as a share of the tolerance, by field."""
    worst: dict[str, float] = {}
    for item in items:
        if item.difficulty != "clean":
            continue
        answers = read_fields(item.family, axes(item), is_noisy=False)
        assert set(answers) == set(item.truth)
        for name, answer in answers.items():
            error = abs(answer - float(str(item.truth[name]))) / item.tolerances[name][0]
            worst[name] = max(worst.get(name, 0.0), error)
    return worst


def _beyond(errors: dict[str, float]) -> dict[str, float]:
    return {name: error for name, error in errors.items() if error > LOOSE.get(name, EXACT)}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_drawn_shows_the_truth(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    assert _beyond(_largest_errors(fresh(21, 5, family), v5_axes)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_drawn_shows_the_truth_of_many_items(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    assert _beyond(_largest_errors(fresh(22, 250, family), v5_axes)) == {}


def test_a_simulated_system_steps_as_the_record_says() -> None:
    for item in fresh(23, 3, "step_response"):
        p = {name: float(str(value)) for name, value in item.params.items() if name != "time_unit"}
        z, w = p["damping"], np.sqrt(1.0 - p["damping"] ** 2)
        # y = 1 - exp(-z t)(cos wt + b sin wt) is the step response of ((z - w b) s + 1) / (s^2 + 2 z s + 1).
        system = signal.TransferFunction([z - w * p["sine_share"], 1.0], [1.0, 2.0 * z, 1.0])
        end = p["x_max"] * p["natural_frequency"]
        time, response = signal.step(system, T=np.linspace(0.0, end, 20_001))
        step = p["final"] - p["initial"]
        values = p["initial"] + step * response
        seconds = time / p["natural_frequency"] * {"s": 1.0, "ms": 1e-3, "µs": 1e-6}[str(item.params["time_unit"])]
        outside = np.flatnonzero(np.abs(values - p["final"]) > 0.1 * abs(step))
        peak = int((np.sign(step) * values).argmax())
        measured = {
            "percent_overshoot": 100.0 * (response.max() - 1.0),
            "settling_time_s": seconds[outside[-1]],
            "cp_peak_time_s": seconds[peak],
            "cp_peak_value": values[peak],
        }

        for name, value in measured.items():
            assert value == pytest.approx(item.truth[name], abs=0.03 * item.tolerances[name][0]), item.id


def test_the_baseline_confirms_every_kind_of_wave() -> None:
    items = fresh(25, 9, "time_waveform")
    assert {item.params["wave_type"] for item in items} == {"sine", "square", "triangle"}
    assert [row for row in validate(items, V5) if not row.passed] == []


@pytest.mark.parametrize("every", [15, pytest.param(1, marks=pytest.mark.sweep)])
def test_the_baseline_disputes_no_value(v5_items: list[Item], every: int) -> None:
    rows = validate(v5_items[::every], V5)

    assert [row for row in rows if not row.passed] == []
    assert len(rows) == sum(len(item.truth) for item in v5_items[::every])


@pytest.mark.slow
def test_the_baseline_disputes_no_value_of_other_seeds() -> None:
    for seed in range(31, 41):
        assert [row for row in validate(fresh(seed, 30), V5) if not row.passed] == []


def test_rounding_costs_at_most_a_hundredth_of_the_tolerance(v5_items: list[Item]) -> None:
    for item in v5_items:
        family = V5.family(item.family)
        exact = family.truth(family.restore(item.params))
        for name, value in item.truth.items():
            assert abs(float(str(value)) - exact[name]) <= 0.01 * item.tolerances[name][0] * (1.0 + 1e-9)


NOISY = [name for name in FAMILIES if getattr(V5.family(name), "noise", "none") != "none"]


def _misses(items: list[Item], axes: Callable[[Item], Axes]) -> list[str]:
    """Noisy items of which the reader misses a field, each with that field."""
    missed = []
    for item in items:
        if item.difficulty == "clean":
            continue
        answers = read_fields(item.family, axes(item), is_noisy=True)
        wrong = [
            name
            for name, value in item.truth.items()
            if abs(answers[name] - float(str(value))) > item.tolerances[name][0]
        ]
        if wrong:
            missed.append(f"{item.id}: {', '.join(wrong)}")
    return missed


@pytest.mark.parametrize("family", NOISY)
def test_an_averaging_reader_reads_noisy_items(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    assert _misses(fresh(51, 5, family), v5_axes) == []


@pytest.mark.slow
@pytest.mark.parametrize("family", NOISY)
def test_an_averaging_reader_reads_99_percent_of_200_noisy_items(
    family: str, v5_axes: Callable[[Item], Axes]
) -> None:
    items = [item for item in fresh(52, 334, family) if item.difficulty != "clean"]

    assert len(items) == 200
    assert len(_misses(items, v5_axes)) <= 2


@pytest.mark.parametrize("difficulty", ["moderate", "edge"])
def test_a_line_under_scattered_points_is_their_least_squares_line(difficulty: str) -> None:
    scatter = points_px(np.random.default_rng(5), difficulty)  # type: ignore[arg-type]

    assert scatter.size == POINTS[difficulty]  # type: ignore[index]
    assert np.polyfit(np.arange(scatter.size), scatter, 1) == pytest.approx([0.0, 0.0], abs=1e-12)
    assert scatter.std() == pytest.approx({"moderate": 2.0, "edge": 5.0}[difficulty])


def test_points_are_drawn_in_the_numbers_of_the_recipe(v5_axes: Callable[[Item], Axes]) -> None:
    for item in fresh(53, 10, "iv_resistor"):
        x, _ = Seen(v5_axes(item)).curve
        assert x.size == {"clean": 1621, "moderate": 60, "edge": 45}[item.difficulty]


def test_the_floor_of_a_spectrum_stays_below_its_lower_peak(v5_axes: Callable[[Item], Axes]) -> None:
    for item in fresh(54, 8, "fft_spectrum"):
        x, y = Seen(v5_axes(item)).curve
        tops = sorted(float(y[np.abs(x - px) < 5.0].max()) for px in _tones_px(item))
        beside = np.all([np.abs(x - px) > 60.0 for px in _tones_px(item)], axis=0)
        assert y[beside].max() < tops[0] - 25.0


def _tones_px(item: Item) -> list[float]:
    low, high = float(str(item.params["x_min"])), float(str(item.params["x_max"]))
    return [(float(str(item.params[name])) - low) / (high - low) * 810.0 for name in ("dominant", "secondary")]
