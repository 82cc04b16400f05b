"""Dark broken lines across the whole axes, dotted or dashed, such as mark a place or a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["CrossLine", "dashed_levels", "dotted_level", "dotted_places"]

DARKEST = 100
MOST_COLOUR = 40
SHARE = (0.2, 0.85)
LEAST_PIECES = 10
WIDEST_PX = 9
DOT_LENGTHS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLine:
    """Centre of a line across the axes, in pixel indices of the picture.

    `dotted`: its pieces are no longer than about its thickness; those of a dashed line are.
    """

    at_px: float
    dotted: bool


def dotted_level(plot: Plot) -> float:
    """Return the row of the one dotted horizontal line.

    Raises:
        CannotReadError: there is none, or are several.
    """
    levels = [line.at_px for line in _horizontals(plot) if line.dotted]
    return _only(levels, "dotted horizontal")


def dashed_levels(plot: Plot, count: int) -> list[float]:
    """Return the rows of the dashed horizontal lines, topmost first.

    Raises:
        CannotReadError: there are not `count` of them.
    """
    levels = sorted(line.at_px for line in _horizontals(plot) if not line.dotted)
    if len(levels) != count:
        raise CannotReadError(f"{len(levels)} dashed horizontal lines instead of {count}")
    return levels


def dotted_places(plot: Plot, count: int) -> list[float]:
    """Return the columns of the dotted vertical lines, leftmost first.

    Raises:
        CannotReadError: there are not `count` of them.
    """
    dark = _dark(plot)
    places = sorted(line.at_px + plot.box.left.last + 1 for line in _lines(dark.T) if line.dotted)
    if len(places) != count:
        raise CannotReadError(f"{len(places)} dotted vertical lines instead of {count}")
    return places


def _only(places: list[float], name: str) -> float:
    if len(places) != 1:
        raise CannotReadError(f"{len(places)} {name} lines instead of one")
    return places[0]


def _horizontals(plot: Plot) -> list[CrossLine]:
    first = plot.box.top.last + 1
    return [CrossLine(at_px=line.at_px + first, dotted=line.dotted) for line in _lines(_dark(plot))]


def _dark(plot: Plot) -> MaskArray:
    rows, columns = plot.box.inside
    return plot.picture.is_ink_of_axes(DARKEST, MOST_COLOUR)[rows, columns]


def _lines(dark: MaskArray) -> list[CrossLine]:
    """Find lines along the rows of a mask: rows that are dark in part, in many pieces."""
    starts = np.diff(dark.view(np.int8), axis=1, prepend=np.int8(0)) == 1
    share, pieces = dark.mean(axis=1), starts.sum(axis=1)
    found = (share >= SHARE[0]) & (share <= SHARE[1]) & (pieces >= LEAST_PIECES)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], found.view(np.int8), [0]))))
    return [
        _line(share, pieces, dark.shape[1], int(first), int(after))
        for first, after in zip(edges[::2], edges[1::2], strict=True)
        if after - first <= WIDEST_PX
    ]


def _line(share: FloatArray, pieces: FloatArray, length: int, first: int, after: int) -> CrossLine:
    rows = np.arange(first, after)
    middle = first + int(share[first:after].argmax())
    piece_px = share[middle] * length / pieces[middle]
    centre = float((share[rows] * rows).sum() / share[rows].sum())
    return CrossLine(at_px=centre, dotted=bool(piece_px <= DOT_LENGTHS * max(2, after - first)))
