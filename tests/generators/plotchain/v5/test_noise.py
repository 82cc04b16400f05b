"""Noise of v5 can be read through: a plain averaging reader stays within the tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from generators.plotchain.v5.noise import POINTS, points_px
from tests.generators.plotchain.v5.conftest import fresh
from tests.generators.plotchain.v5.plain_reader import read_fields
from tests.generators.plotchain.v5.seen import Seen

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item

NOISY = (
    "fft_spectrum",
    "iv_diode",
    "iv_resistor",
    "spectrogram",
    "step_response",
    "time_waveform",
    "transfer_characteristic",
)


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
    assert _misses(fresh(51, 8, family), v5_axes) == []


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
