"""Tick marks: the short dark lines that stand on the lower and left spine, outside the box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.axes_box import AxesBox

__all__ = ["Ticks", "find_ticks"]

DARK = 0.4
MOST_LENGTH_PX = 40
LEAST_LENGTH_PX = 3
MAJOR_SHARE = 0.8
MINOR_SHARE = (0.4, 0.75)
WIDEST_SHARE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticks:
    """Centres of an axis's ticks along it, in pixel indices, ascending; `length_px` of the major ones."""

    major_px: FloatArray
    minor_px: FloatArray
    length_px: int


def find_ticks(darkness: FloatArray, box: AxesBox) -> tuple[Ticks, Ticks]:
    """Return the ticks of the x axis and of the y axis.

    Raises:
        CannotReadError: an axis has none.
    """
    below = darkness[box.bottom.last + 1 : box.bottom.last + 1 + MOST_LENGTH_PX]
    beside = darkness[:, max(0, box.left.first - MOST_LENGTH_PX) : box.left.first][:, ::-1].T
    return (
        _ticks_of(below, box.left.first - 1, box.right.last + 1, "x"),
        _ticks_of(beside, box.top.first - 1, box.bottom.last + 1, "y"),
    )


def _ticks_of(strip: FloatArray, first: int, last: int, name: str) -> Ticks:
    """Find ticks in a strip whose row 0 touches the spine."""
    reach = _reach(strip > DARK)
    reach[: max(first, 0)] = 0
    reach[last + 1 :] = 0
    longest = int(reach.max(initial=0))
    if longest < LEAST_LENGTH_PX or longest >= MOST_LENGTH_PX:
        raise CannotReadError(f"no ticks on the {name} axis")
    major = _centres(strip[: max(1, longest - 1)], reach >= MAJOR_SHARE * longest, longest)
    low, high = MINOR_SHARE
    minor = _centres(strip[:2], (reach >= low * longest) & (reach <= high * longest), longest)
    apart = np.abs(minor[:, None] - major[None, :]).min(axis=1, initial=np.inf) > 2  # noqa: PLR2004 - its flank
    return Ticks(major_px=major, minor_px=minor[apart], length_px=longest)


def _reach(dark: MaskArray) -> FloatArray:
    """How many pixels from the spine on each column is dark without a gap."""
    return np.asarray(np.cumprod(dark, axis=0).sum(axis=0))


def _centres(strip: FloatArray, found: MaskArray, length_px: int) -> FloatArray:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], found.astype(np.int8), [0]))))
    ink = strip.sum(axis=0)
    centres = []
    for first, after in zip(edges[::2], edges[1::2], strict=True):
        if after - first <= max(2, WIDEST_SHARE * length_px):
            columns = np.arange(max(first - 1, 0), min(after + 1, ink.size))
            centres.append(float((ink[columns] * columns).sum() / ink[columns].sum()))
    return np.array(centres)
