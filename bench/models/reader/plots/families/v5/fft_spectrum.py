"""Magnitude spectrum: two rounded peaks over a noise floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import find_peaks

from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "FftSpectrum"]

HALF = 0.5
LEAST_PROMINENCE_PX = 30.0
TIP_DEPTH_PX = 6.0
WIDEST_TIP_PX = 40.0


class FftSpectrum:
    """Level in dB over frequency; the tips of the two highest peaks are read."""

    name = "fft_spectrum"
    axes = ("Hz", "dB")
    fields = ("dominant_frequency_hz", "secondary_frequency_hz", "cp_peak_ratio")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read where the upper outline has its two highest tops, and the difference of their heights."""
        heights = _heights(plot.ink.coverage)
        tips, _ = find_peaks(heights, prominence=LEAST_PROMINENCE_PX)
        if tips.size < 2:  # noqa: PLR2004
            raise CannotReadError(f"{tips.size} peaks stand out of the spectrum")
        tallest = tips[np.argsort(heights[tips])[::-1][:2]]
        hertz = [plot.x.value(_middle(heights, int(tip)) + plot.ink.first_column) for tip in tallest]
        decibels = float(heights[tallest[0]] - heights[tallest[1]]) / abs(plot.y.px_per_unit)
        return {
            "dominant_frequency_hz": direct(hertz[0], "highest peak of the spectrum"),
            "secondary_frequency_hz": direct(hertz[1], "second-highest peak of the spectrum"),
            "cp_peak_ratio": direct(10.0 ** (decibels / 20.0), "height difference of the two peaks"),
        }


def _heights(coverage: FloatArray) -> FloatArray:
    """Height of the ink's upper edge above the lowest row, in each column, to a fraction of a pixel."""
    inked = coverage > HALF
    first = inked.argmax(axis=0)
    above = np.where(first > 0, coverage[np.maximum(first - 1, 0), np.arange(first.size)], 0.0)
    return np.where(inked.any(axis=0), coverage.shape[0] - first + above, 0.0)


def _middle(heights: FloatArray, tip: int) -> float:
    """Return the middle of the columns around a tip that reach nearly as high."""
    low = heights < heights[tip] - TIP_DEPTH_PX
    left = np.flatnonzero(low[:tip])
    right = np.flatnonzero(low[tip:])
    if left.size == 0 or right.size == 0:
        raise CannotReadError("a peak of the spectrum lies at the rim")
    if tip + right[0] - left[-1] > WIDEST_TIP_PX:
        raise CannotReadError("the highest places of the curve are no narrow peaks")
    return float(left[-1] + tip + right[0]) / 2.0


FAMILY = FftSpectrum()
