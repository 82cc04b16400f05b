"""Helper lines and dots that a plot is marked with: broken lines across the axes, one round dot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.picture import EIGHT, runs_of, weighted_mean
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.plot import MeasuredPlot

__all__ = ["BrokenLine", "dashed_levels", "dot_px", "dotted_level", "dotted_places"]


ROUNDEST = 1.6
LEAST_DOT_PIXELS = 12
DARKEST = 100
MOST_COLOUR = 40
INKED_SHARE = (0.2, 0.85)
LEAST_PIECES = 10
WIDEST_PX = 9
DOT_LENGTHS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenLine:
    """Centre of a line across the axes, in pixel indices of the picture.

    `dotted`: its pieces are no longer than about its thickness; those of a dashed line are.
    """

    at_px: float
    dotted: bool


def dotted_level(plot: MeasuredPlot) -> float:
    """Return the row of the one dotted horizontal line.

    Raises:
        CannotReadError: there is none, or are several.
    """
    levels = [line.at_px for line in _horizontals(plot) if line.dotted]
    return _exactly(1, levels, "dotted horizontal lines instead of one")[0]


def dashed_levels(plot: MeasuredPlot, count: int) -> list[float]:
    """Return the rows of the dashed horizontal lines, topmost first.

    Raises:
        CannotReadError: there are not `count` of them.
    """
    levels = sorted(line.at_px for line in _horizontals(plot) if not line.dotted)
    return _exactly(count, levels, f"dashed horizontal lines instead of {count}")


def dotted_places(plot: MeasuredPlot, count: int) -> list[float]:
    """Return the columns of the dotted vertical lines, leftmost first.

    Raises:
        CannotReadError: there are not `count` of them.
    """
    dark = _dark(plot)
    places = sorted(line.at_px + plot.box.left.last + 1 for line in _broken_lines(dark.T) if line.dotted)
    return _exactly(count, places, f"dotted vertical lines instead of {count}")


def _exactly(count: int, places: list[float], what: str) -> list[float]:
    if len(places) != count:
        raise CannotReadError(f"{len(places)} {what}")
    return places


def _horizontals(plot: MeasuredPlot) -> list[BrokenLine]:
    first = plot.box.top.last + 1
    return [BrokenLine(at_px=line.at_px + first, dotted=line.dotted) for line in _broken_lines(_dark(plot))]


def _dark(plot: MeasuredPlot) -> MaskArray:
    rows, columns = plot.box.inside
    return plot.picture.is_ink_of_axes(DARKEST, MOST_COLOUR)[rows, columns]


def _broken_lines(dark: MaskArray) -> list[BrokenLine]:
    """Find lines along the rows of a mask: rows that are dark in part, in many pieces."""
    starts = np.diff(dark.view(np.int8), axis=1, prepend=np.int8(0)) == 1
    share, pieces = dark.mean(axis=1), starts.sum(axis=1)
    found = (share >= INKED_SHARE[0]) & (share <= INKED_SHARE[1]) & (pieces >= LEAST_PIECES)
    return [
        _broken_line(share, pieces, dark.shape[1], first, after)
        for first, after in runs_of(found)
        if after - first <= WIDEST_PX
    ]


def _broken_line(share: FloatArray, pieces: FloatArray, length: int, first: int, after: int) -> BrokenLine:
    middle = first + int(share[first:after].argmax())
    piece_px = share[middle] * length / pieces[middle]
    centre = weighted_mean(np.arange(first, after), share[first:after])
    return BrokenLine(at_px=centre, dotted=bool(piece_px <= DOT_LENGTHS * max(2, after - first)))


def dot_px(plot: MeasuredPlot) -> tuple[float, float] | None:
    """Return column and row of the one round dot of another colour; None where there is none, or are several."""
    ink = plot.ink
    labelled, _ = ndimage.label(ink.others, structure=EIGHT)
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labelled), 1):
        height, width = rows.stop - rows.start, columns.stop - columns.start
        filled = labelled[rows, columns] == number
        if filled.sum() >= LEAST_DOT_PIXELS and max(height, width) <= ROUNDEST * min(height, width):
            y, x = np.nonzero(filled)
            found.append((x.mean() + columns.start + ink.first_column, y.mean() + rows.start + ink.first_row))
    return (float(found[0][0]), float(found[0][1])) if len(found) == 1 else None
