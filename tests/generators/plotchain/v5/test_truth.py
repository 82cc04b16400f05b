"""The truth of v5 by routes of its own: measured on what is drawn, simulated, and recomputed from the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import signal

from generators.plotchain.registry import EDITIONS
from generators.plotchain.validation import validate
from tests.generators.plotchain.v5.conftest import fresh
from tests.generators.plotchain.v5.plain_reader import read_fields

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


@pytest.mark.parametrize("family", EDITIONS["v5"].families)
def test_what_is_drawn_shows_the_truth(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    assert _beyond(_largest_errors(fresh(21, 9, family), v5_axes)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("family", EDITIONS["v5"].families)
def test_what_is_drawn_shows_the_truth_of_many_items(family: str, v5_axes: Callable[[Item], Axes]) -> None:
    assert _beyond(_largest_errors(fresh(22, 250, family), v5_axes)) == {}


def test_a_simulated_system_steps_as_the_record_says() -> None:
    for item in fresh(23, 6, "step_response"):
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
    items = fresh(25, 12, "time_waveform")
    assert {item.params["wave_type"] for item in items} == {"sine", "square", "triangle"}
    assert [row for row in validate(items, EDITIONS["v5"]) if not row.passed] == []


@pytest.mark.sweep
def test_the_baseline_disputes_no_value(v5_items: list[Item]) -> None:
    rows = validate(v5_items, EDITIONS["v5"])

    assert [row for row in rows if not row.passed] == []
    assert len(rows) == sum(len(item.truth) for item in v5_items)


@pytest.mark.slow
def test_the_baseline_disputes_no_value_of_other_seeds() -> None:
    for seed in range(31, 41):
        assert [row for row in validate(fresh(seed, 30), EDITIONS["v5"]) if not row.passed] == []


def test_rounding_costs_at_most_a_hundredth_of_the_tolerance(v5_items: list[Item]) -> None:
    for item in v5_items:
        family = EDITIONS["v5"].family(item.family)
        exact = family.truth(family.restore(item.params))
        for name, value in item.truth.items():
            assert abs(float(str(value)) - exact[name]) <= 0.01 * item.tolerances[name][0] * (1.0 + 1e-9)
