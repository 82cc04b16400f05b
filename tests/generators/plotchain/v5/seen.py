"""What a reader sees of a drawn plot of edition v5: artists in pixels, and scales from the tick labels.

Knows nothing of parameters: scales come from the texts at the ticks, units from the axis names, marks from
their letters.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]
Answers = dict[str, float]

CURVE = "#1f4e9c"
HELPER = "#d62728"
WIDTH, HEIGHT = 810.0, 432.0
HALF_POWER_DB = 10.0 * math.log10(2.0)
RUNNING = 21
UNITS = {"µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6}
PLAIN_UNITS = {"s", "Hz", "V", "A", "N·m", "rad/s", "m", "m³/h", "rpm", "MPa", "dB", "deg"}
POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def label_value(text: str) -> float:
    """The number that a tick label shows."""
    power = re.fullmatch(r"(?:(\d)·)?10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)", text)
    if power:
        return float(power[1] or 1) * 10.0 ** int(power[2].translate(POWERS))
    return float(text.replace("−", "-"))


def unit_size(axis_name: str) -> float:
    """Base units in the unit that an axis name ends with; 1 where it has none."""
    found = re.search(r"\(([^()]+)\)$", axis_name)
    if found is None or found[1] in PLAIN_UNITS:
        return 1.0
    return 1e-2 if found[1] == "%" else UNITS[found[1][0]]


def first_of(data: Any) -> float:
    """First coordinate of a line's data."""
    return float(data[0])


class Seen:
    """One drawn plot."""

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.texts = {text.get_text(): text.get_position() for text in axes.texts}
        names = [text.get_text() for text in axes.texts]
        self.x_name, self.y_name = names[0], names[1]
        self.x_unit, self.y_unit = unit_size(self.x_name), unit_size(self.y_name)
        self.x = self._scale(axes.xaxis, is_log=self.x_name.startswith(("Cycles",)) or self._has_log_ticks())
        self.y = self._scale(axes.yaxis, is_log=False)

    def _ticks(self, axis: Any) -> tuple[list[float], list[float]]:
        places = [float(place) for place in axis.get_ticklocs()]
        return places, [label_value(label.get_text()) for label in axis.get_ticklabels()]

    def _has_log_ticks(self) -> bool:
        places, values = self._ticks(self.axes.xaxis)
        if values[0] <= 0.0:
            return False
        straight = np.interp(places[1:-1], [places[0], places[-1]], [values[0], values[-1]])
        bent = not np.allclose(straight, values[1:-1], rtol=1e-6, atol=1e-9 * abs(values[-1]))
        return bent if len(values) > 2 else self.axes.texts[2].get_text().startswith("Bode")

    def _scale(self, axis: Any, *, is_log: bool) -> Callable[[Any], Any]:
        places, values = self._ticks(axis)
        assert len(values) >= 2
        ends = [math.log10(value) if is_log else value for value in (values[0], values[-1])]
        per_px = (ends[1] - ends[0]) / (places[-1] - places[0])

        def value_at(px: Any) -> Any:
            scaled = ends[0] + (px - places[0]) * per_px
            return 10.0**scaled if is_log else scaled

        def px_of(value: float) -> float:
            return places[0] + ((math.log10(value) if is_log else value) - ends[0]) / per_px

        value_at.px_of = px_of  # type: ignore[attr-defined]
        return value_at

    def px(self, axis: str, value: float) -> float:
        found: float = getattr(self, axis).px_of(value)
        return found

    @property
    def curve(self) -> tuple[FloatArray, FloatArray]:
        """Pixels of the curve or points that are asked about (the longest line in its colour)."""
        lines = [line for line in self.axes.lines if line.get_color() == CURVE]
        line = max(lines, key=lambda candidate: len(np.asarray(candidate.get_xdata())))
        return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)

    @property
    def dashed_levels(self) -> list[float]:
        """Heights of the dark dashed lines across the axes."""
        return sorted(first_of(line.get_ydata()) for line in self.axes.lines if line.get_color() == "0.3")

    @property
    def helper_levels(self) -> list[float]:
        """Heights of the red lines across the axes."""
        lines = [
            line
            for line in self.axes.lines
            if line.get_color() == HELPER and len(np.asarray(line.get_xdata())) == 2
        ]
        return sorted(first_of(line.get_ydata()) for line in lines)

    def letter(self, text: str) -> float:
        """Where the line with that letter stands: its x above the axes, or its y right of them."""
        x_px, y_px = self.texts[text]
        return float(x_px) if y_px > HEIGHT else float(y_px)

    def symbol(self, marker: str) -> tuple[float, float]:
        """Where a symbol stands inside the axes."""
        found = [
            (first_of(line.get_xdata()), first_of(line.get_ydata()))
            for line in self.axes.lines
            if line.get_marker() == marker and first_of(line.get_ydata()) < HEIGHT
        ]
        assert len(found) == 1
        return found[0]

    @property
    def image(self) -> FloatArray:
        """Levels of the cells, rows from the bottom."""
        return np.asarray(self.axes.images[0].get_array(), dtype=float)


def smooth(y: FloatArray, width: int = RUNNING) -> FloatArray:
    """Running mean; at the ends over what there is."""
    kernel = np.ones(width)
    mean: FloatArray = np.convolve(y, kernel, "same") / np.convolve(np.ones_like(y), kernel, "same")
    return mean


def crossings(x: FloatArray, y: FloatArray, level: float) -> list[float]:
    """Where a sampled curve crosses a level, by linear interpolation."""
    above = y > level
    at = np.flatnonzero(above[1:] != above[:-1])
    return [float(x[i] + (level - y[i]) / (y[i + 1] - y[i]) * (x[i + 1] - x[i])) for i in at]


def vertex(x: FloatArray, y: FloatArray, near: int, reach: int) -> tuple[float, float]:
    """Extreme of the parabola through the samples around one."""
    window = slice(max(0, near - reach), near + reach + 1)
    middle = x[near]
    a, b, c = np.polyfit(x[window] - middle, y[window], 2)
    at = -b / (2.0 * a)
    return float(middle + at), float(c - a * at * at)


def meeting(first: FloatArray, second: FloatArray) -> tuple[float, float]:
    """Where two straight lines (slope, height at 0) meet."""
    x = (second[1] - first[1]) / (first[0] - second[0])
    return float(x), float(first[0] * x + first[1])
