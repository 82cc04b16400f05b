"""Magnitude spectrum, level in dB over frequency: the two highest lines (v4), or peaks over a noise floor (v5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import find_peaks

from bench.models.reader.picture import weighted_mean
from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.readings import CannotReadError, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray, IndexArray, MaskArray
    from bench.models.reader.plots.ink import CurveInk
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "fft_spectrum"
FIELDS = ("dominant_frequency_hz", "secondary_frequency_hz", "cp_peak_ratio")
HALF = 0.5

TIP_STROKES = 5.0
BESIDE_STROKES = 2.5
LINE_ASIDE_STROKES = 3.0
LINE_RISE_STROKES = 5.0

LEAST_PROMINENCE_PX = 30.0
TIP_DEPTH_PX = 6.0
WIDEST_TIP_PX = 40.0


def _upper_edge(coverage: FloatArray) -> tuple[MaskArray, IndexArray, FloatArray]:
    """Return for each column whether it has ink, its first inked row, and the share of ink in the pixel above."""
    inked = coverage > HALF
    first = inked.argmax(axis=0)
    above = np.where(first > 0, coverage[np.maximum(first - 1, 0), np.arange(first.size)], 0.0)
    return np.asarray(inked.any(axis=0)), first, above


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read the columns under the two highest tips, and the difference of their heights."""
    ink, stroke = plot.ink, plot.curve.stroke_px
    inked, edge, above = _upper_edge(ink.coverage)
    tops = np.where(inked, edge - above, np.inf)  # row of the upper edge, to a fraction of a pixel
    first = _highest(tops)
    aside = _beyond_a_gap(tops, first, stroke)
    second = _highest(np.where(aside, tops, np.inf))
    others = tops[aside & _beyond_a_gap(tops, second, stroke)]
    if others.min(initial=np.inf) < tops[second] + LINE_RISE_STROKES * stroke:
        raise CannotReadError("no second line stands out of the others, or of the noise")
    for column in (first, second):
        _check_is_line(plot, tops, column)
    reach = min(BESIDE_STROKES * stroke, abs(second - first) / 2)
    levels = [plot.y.value(float(tops[column] + ink.first_row)) for column in (first, second)]
    hertz = [plot.x.value(_centre(ink, tops, column, reach, stroke)) for column in (first, second)]
    return {
        "dominant_frequency_hz": direct(hertz[0], "highest line of the spectrum"),
        "secondary_frequency_hz": direct(hertz[1], "second-highest line of the spectrum"),
        "cp_peak_ratio": direct(10.0 ** ((levels[0] - levels[1]) / 20.0), "height difference of the two tips"),
    }


def _highest(tops: FloatArray) -> int:
    """Return the middle one of the neighbouring columns that reach the highest."""
    best = int(tops.argmin())
    if not np.isfinite(tops[best]):
        raise CannotReadError("no second line in the spectrum")
    lower = np.flatnonzero(tops[best:] > tops[best] + HALF)
    width = int(lower[0]) if lower.size else tops.size - best
    return best + (width - 1) // 2


def _beyond_a_gap(tops: FloatArray, first: int, stroke_px: float) -> MaskArray:
    """Where the curve has come up again, well above its lowest place since the column `first`.

    Other columns are the flank of that line, however high they reach.
    """
    right = np.maximum.accumulate(tops[first:])
    left = np.maximum.accumulate(tops[: first + 1][::-1])[::-1]
    lowest = np.concatenate((left[:-1], right))
    return np.asarray(lowest > tops + LINE_RISE_STROKES * stroke_px)


def _check_is_line(plot: MeasuredPlot, tops: FloatArray, column: int) -> None:
    """Refuse a tip that is no narrow line: the curve must fall, not end, within a few strokes on both sides."""
    stroke = plot.curve.stroke_px
    aside = round(LINE_ASIDE_STROKES * stroke)
    curve = np.where(np.isfinite(tops), tops, -np.inf)
    beside = (curve[max(0, column - aside) : column], curve[column + 1 : column + aside + 1])
    lowest = min(part.max(initial=-np.inf) for part in beside)
    helper = any(abs(line.x_px - column - plot.ink.first_column) <= stroke for line in plot.curve.verticals)
    if helper or lowest < tops[column] + LINE_RISE_STROKES * stroke:
        raise CannotReadError("the highest places of the curve are no narrow lines")


def _centre(ink: CurveInk, tops: FloatArray, column: int, reach_px: float, stroke_px: float) -> float:
    """Return the centre of the ink under a tip, in columns of the picture."""
    top, reach = int(tops[column]), round(reach_px)
    columns = np.arange(max(0, column - reach), min(tops.size, column + reach + 1))
    weight = ink.coverage[top : top + round(TIP_STROKES * stroke_px), columns].sum(axis=0)
    return weighted_mean(columns, weight) + ink.first_column


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read where the upper outline has its two highest tops, and the difference of their heights."""
    coverage = plot.ink.coverage
    inked, edge, above = _upper_edge(coverage)
    heights = np.where(inked, coverage.shape[0] - edge + above, 0.0)  # of the upper edge above the lowest row
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


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("Hz", "dB"))
