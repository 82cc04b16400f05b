"""Magnitude spectrum: the two highest lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.ink import Ink
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "FftSpectrum"]

HALF = 0.5
APART_STROKES = 2.0
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
        aside = np.abs(np.arange(tops.size) - first) > APART_STROKES * stroke
        second = _highest(np.where(aside, tops, np.inf))
        for column in (first, second):
            _check_is_line(tops, column, stroke)
        levels = [plot.y.value(float(tops[column] + ink.first_row)) for column in (first, second)]
        hertz = [plot.x.value(_centre(ink, tops, column, stroke)) for column in (first, second)]
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
    """Return the middle one of the columns that reach the highest."""
    best = float(tops.min())
    if not np.isfinite(best):
        raise CannotReadError("no second line in the spectrum")
    return int(np.median(np.flatnonzero(tops <= best + HALF)))


def _check_is_line(tops: FloatArray, column: int, stroke_px: float) -> None:
    """Refuse a tip that is no narrow line: the ink must begin well lower a few strokes aside."""
    aside = round(LINE_ASIDE_STROKES * stroke_px)
    beside = tops[[max(0, column - aside), min(tops.size - 1, column + aside)]]
    if beside.min() < tops[column] + LINE_RISE_STROKES * stroke_px:
        raise CannotReadError("the highest places of the curve are no narrow lines")


def _centre(ink: Ink, tops: FloatArray, column: int, stroke_px: float) -> float:
    """Return the centre of the ink under a tip, in columns of the picture."""
    top = int(tops[column])
    reach = round(BESIDE_STROKES * stroke_px)
    columns = np.arange(max(0, column - reach), min(tops.size, column + reach + 1))
    weight = ink.coverage[top : top + round(TIP_STROKES * stroke_px), columns].sum(axis=0)
    return float((weight * columns).sum() / weight.sum()) + ink.first_column


FAMILY = FftSpectrum()
