"""Magnitude spectrum: the two highest lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.ink import Ink
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "FftSpectrum"]

HALF = 0.5
TIP_STROKES = 5.0
BESIDE_STROKES = 2.5
LINE_ASIDE_STROKES = 3.0
LINE_RISE_STROKES = 5.0


class FftSpectrum:
    """Level in dB over frequency; the tips of the two highest lines are read."""

    name = "fft_spectrum"
    fields = ("dominant_frequency_hz", "secondary_frequency_hz", "cp_peak_ratio")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Read the columns under the two highest tips, and the difference of their heights."""
        ink, stroke = plot.ink, plot.curve.stroke_px
        tops = _top_edges(ink.coverage)
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


def _top_edges(coverage: FloatArray) -> FloatArray:
    """Row at which the ink begins in each column, to a fraction of a pixel; infinite where there is none."""
    inked = coverage > HALF
    first = inked.argmax(axis=0)
    above = np.where(first > 0, coverage[np.maximum(first - 1, 0), np.arange(first.size)], 0.0)
    return np.where(inked.any(axis=0), first - above, np.inf)


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


def _check_is_line(plot: Plot, tops: FloatArray, column: int) -> None:
    """Refuse a tip that is no narrow line: the curve must fall, not end, within a few strokes on both sides."""
    stroke = plot.curve.stroke_px
    aside = round(LINE_ASIDE_STROKES * stroke)
    curve = np.where(np.isfinite(tops), tops, -np.inf)
    beside = (curve[max(0, column - aside) : column], curve[column + 1 : column + aside + 1])
    lowest = min(part.max(initial=-np.inf) for part in beside)
    helper = any(abs(line.x_px - column - plot.ink.first_column) <= stroke for line in plot.curve.verticals)
    if helper or lowest < tops[column] + LINE_RISE_STROKES * stroke:
        raise CannotReadError("the highest places of the curve are no narrow lines")


def _centre(ink: Ink, tops: FloatArray, column: int, reach_px: float, stroke_px: float) -> float:
    """Return the centre of the ink under a tip, in columns of the picture."""
    top, reach = int(tops[column]), round(reach_px)
    columns = np.arange(max(0, column - reach), min(tops.size, column + reach + 1))
    weight = ink.coverage[top : top + round(TIP_STROKES * stroke_px), columns].sum(axis=0)
    return float((weight * columns).sum() / weight.sum()) + ink.first_column


FAMILY = FftSpectrum()
