"""The curve's points to a fraction of a pixel: traced as a thin line, or as the centre of a band of ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.picture import EIGHT, runs_of, weighted_mean
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, IndexArray, MaskArray
    from bench.models.reader.plots.ink import CurveInk

__all__ = ["CurvePoints", "CurveTrace", "DashedVertical", "InkBand", "find_band", "trace_curve"]

CORE = 0.65
LEAST_PART = 0.04
STEEPEST_RUN = 2.3
LEAST_POINTS = 12
THICKEST_SHARE = 0.03
VERTICAL_SHARE = 0.22
LEAST_DASHES = 12
WIDEST_LINE_PX = 9
BESIDE_LINE_PX = 3

FAINTEST = 0.12
LEAST_INK_PX = 0.8
DOT_PX = 6
BESIDE_DOT_PX = 2
LEAST_COLUMNS = 30
RING_HOLES_PX = 150
LARGEST_HOLE_PX = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoints:
    """Points in pixel indices of the picture, sorted by column."""

    x_px: FloatArray
    y_px: FloatArray

    def where(self, chosen: MaskArray) -> CurvePoints:
        """Return some of the points."""
        return CurvePoints(x_px=self.x_px[chosen], y_px=self.y_px[chosen])


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveTrace:
    """The curve's points, and what they were taken from.

    `points`: from columns where the curve is shallow and from rows where it is steep. `columns`: from columns
    alone, where only one piece of the curve stands in them, however long. `stroke_px`: the line's thickness.
    `left_px`, `right_px`: where its ends lie, without their caps of half a stroke. `verticals`: broken vertical
    helper lines.
    """

    points: CurvePoints
    columns: CurvePoints
    stroke_px: float
    left_px: float
    right_px: float
    verticals: tuple[DashedVertical, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DashedVertical:
    """A broken vertical line at `x_px`, of dashes `dash_px` long; `first`, `last`: columns inside the axes."""

    x_px: float
    dash_px: float
    first: int
    last: int


def trace_curve(ink: CurveInk) -> CurveTrace:
    """Trace the curve.

    Raises:
        CannotReadError: too little of a curve is there.
    """
    verticals = _verticals(ink)
    mask = _largest_parts(ink.coverage > CORE)
    if mask.sum() < LEAST_POINTS:
        raise CannotReadError("there is no curve")
    usable = mask.copy()
    for line in verticals:
        usable[:, max(0, line.first - BESIDE_LINE_PX) : line.last + BESIDE_LINE_PX + 1] = False
    columns, rows = _runs(usable.T), _runs(usable)
    stroke = float(np.percentile(np.concatenate((columns.lengths, rows.lengths)), 20))
    if stroke > THICKEST_SHARE * min(mask.shape):
        raise CannotReadError("what is coloured is no thin line")
    points = _points(ink, columns, rows, STEEPEST_RUN * stroke)
    if points.x_px.size < LEAST_POINTS:
        raise CannotReadError("the curve cannot be traced")
    inked = np.flatnonzero(mask.any(axis=0))
    return CurveTrace(
        points=points,
        columns=_single(ink, columns),
        stroke_px=stroke,
        left_px=float(inked[0] - 0.5 + stroke / 2 + ink.first_column),
        right_px=float(inked[-1] + 0.5 - stroke / 2 + ink.first_column),
        verticals=verticals,
    )


def _points(ink: CurveInk, columns: _Runs, rows: _Runs, longest_px: float) -> CurvePoints:
    shallow, steep = columns.lengths <= longest_px, rows.lengths <= longest_px
    x = np.concatenate((columns.lines[shallow], _centroids(ink.coverage, rows, steep)), dtype=np.float64)
    y = np.concatenate((_centroids(ink.coverage.T, columns, shallow), rows.lines[steep]), dtype=np.float64)
    order = np.argsort(x, kind="stable")
    return CurvePoints(x_px=x[order] + float(ink.first_column), y_px=y[order] + float(ink.first_row))


def _single(ink: CurveInk, columns: _Runs) -> CurvePoints:
    alone = np.bincount(columns.lines, minlength=1)[columns.lines] == 1
    return CurvePoints(
        x_px=columns.lines[alone] + float(ink.first_column),
        y_px=_centroids(ink.coverage.T, columns, alone) + ink.first_row,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runs:
    """Unbroken runs in the lines of a mask: line, first pixel, pixel after the last, length."""

    lines: IndexArray
    firsts: IndexArray
    afters: IndexArray

    @property
    def lengths(self) -> IndexArray:
        return self.afters - self.firsts


def _runs(mask: MaskArray) -> _Runs:
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    lines, firsts = np.nonzero(steps == 1)
    _, afters = np.nonzero(steps == -1)
    return _Runs(lines=lines, firsts=firsts, afters=afters)


def _centroids(coverage: FloatArray, runs: _Runs, chosen: MaskArray) -> FloatArray:
    """Return the coverage-weighted centre of each chosen run, one pixel more on both sides."""
    length = coverage.shape[1]
    line = runs.lines[chosen]
    if line.size == 0:
        return np.empty(0)
    first = line * length + np.maximum(runs.firsts[chosen] - 1, 0)
    after = line * length + np.minimum(runs.afters[chosen] + 1, length)
    bounds = np.stack((first, after), axis=1).ravel()
    flat = np.append(coverage.ravel(), 0.0)  # a bound may lie just behind the last pixel
    moment = flat * np.append(np.tile(np.arange(length), coverage.shape[0]), 0)
    return np.asarray(_sums(moment, bounds) / _sums(flat, bounds))


def _sums(values: FloatArray, bounds: IndexArray) -> FloatArray:
    """Sums between each pair of bounds; pairs may overlap."""
    even = np.add.reduceat(values, bounds)[::2]
    return np.asarray(even)


def _largest_parts(core: MaskArray) -> MaskArray:
    labelled, _ = ndimage.label(core, structure=EIGHT)
    sizes = np.bincount(labelled.ravel())
    sizes[0] = 0
    kept: MaskArray = (sizes >= max(1, LEAST_PART * sizes.max(initial=0)))[labelled] & core
    return kept


def _verticals(ink: CurveInk) -> tuple[DashedVertical, ...]:
    inked = ink.coverage > 0.3  # noqa: PLR2004 - dashes are drawn translucent
    dashes = np.count_nonzero(np.diff(inked.astype(np.int8), axis=0) == 1, axis=0)
    share = inked.mean(axis=0)
    found = (share >= VERTICAL_SHARE) & (dashes >= LEAST_DASHES)
    lines = []
    for first, after in runs_of(found):
        if after - first <= WIDEST_LINE_PX:
            columns = np.arange(max(first - 1, 0), min(after + 1, found.size))
            weight = ink.coverage[:, columns].mean(axis=0)
            centre = weighted_mean(columns, weight)
            middle = round(centre)
            dash = float(inked[:, middle].sum() / max(1, dashes[middle]))
            lines.append(DashedVertical(x_px=centre + ink.first_column, dash_px=dash, first=first, last=after - 1))
    return tuple(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class InkBand:
    """Centres of the ink in each column, in pixel indices of the picture; `ink_px`: how much ink each column has.

    `left_px`, `right_px`: the first and the last column with ink, under dots too. `circles`: the ink encloses many
    small holes, as open circles do.
    """

    points: CurvePoints
    ink_px: FloatArray
    left_px: float
    right_px: float
    circles: bool


def find_band(ink: CurveInk) -> InkBand:
    """Take the centre of each column's ink; columns with round dots of another colour are left out.

    Raises:
        CannotReadError: too few columns have ink.
    """
    weight = np.where(ink.coverage >= FAINTEST, ink.coverage, 0.0)
    amount = weight.sum(axis=0)
    inked = np.flatnonzero(amount >= LEAST_INK_PX)
    columns = inked[~_under_dots(ink.others)[inked]]
    if columns.size < LEAST_COLUMNS:
        raise CannotReadError("there is no curve")
    rows = np.arange(weight.shape[0], dtype=np.float64)
    centres = rows @ weight[:, columns] / amount[columns]
    return InkBand(
        points=CurvePoints(
            x_px=columns.astype(np.float64) + ink.first_column, y_px=centres + float(ink.first_row)
        ),
        ink_px=amount[columns],
        left_px=float(inked[0] + ink.first_column),
        right_px=float(inked[-1] + ink.first_column),
        circles=_has_rings(weight > 0.5),  # noqa: PLR2004 - more than half covered
    )


def _under_dots(others: MaskArray) -> MaskArray:
    """Columns in which another colour makes a dot that hides the curve; thin lines are no dots."""
    dots = ndimage.binary_opening(others, structure=np.ones((DOT_PX, DOT_PX)))
    reach = 2 * (DOT_PX // 2 + BESIDE_DOT_PX) + 1
    return np.asarray(ndimage.binary_dilation(dots.any(axis=0), structure=np.ones(reach)))


def _has_rings(inked: MaskArray) -> bool:
    labelled, _ = ndimage.label(~inked)
    sizes = np.bincount(labelled.ravel())[1:]
    return bool(sizes[sizes <= LARGEST_HOLE_PX].sum() >= RING_HOLES_PX)
