"""Pole-zero plot: one black cross and one black circle on the plane."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.picture import EIGHT
from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.readings import CannotReadError, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "pole_zero"
FIELDS = ("pole_real", "pole_imag", "zero_real", "zero_imag")
DARKEST = 128
DARKER_THAN_LINES = 90
"""In v5, the marks are darker than the grey lines through zero under them."""
MOST_COLOUR = 40
BRIDGE_PX = 7
LEAST_SIZE_PX = 8
SQUAREST = 1.35
RING_ANGLES = np.radians(np.array([22.5, 67.5]) + 90.0 * np.arange(4)[:, None]).ravel()
ARM_ANGLES = np.radians(45.0 + 90.0 * np.arange(4))
RING_SHARE = np.linspace(0.7, 1.0, 7)
ARM_SHARE = np.linspace(0.35, 0.6, 5)
ENOUGH = 0.7
MOST_MARKS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    x_px: float
    y_px: float
    is_pole: bool
    is_zero: bool


def read_marks(plot: MeasuredPlot, *, darkest: int) -> Mapping[str, FieldValue]:
    """Find the marks, which are darker than `darkest`, and tell cross from circle by where they are dark.

    The axes through zero may lie over them.
    """
    marks = _marks(plot, darkest)
    if not all(mark.is_pole or mark.is_zero for mark in marks):
        raise CannotReadError("dark marks that are neither cross nor circle")
    crosses, circles = [mark for mark in marks if mark.is_pole], [mark for mark in marks if mark.is_zero]
    if not (crosses and circles):
        raise CannotReadError("no cross and circle")
    found: dict[str, FieldValue] = {}
    for name, shape, chosen in (("pole", "cross", crosses), ("zero", "circle", circles)):
        one = chosen[0] if len(chosen) == 1 else None
        what = f"centre of the {shape}" if one else f"{len(chosen)} marks look like a {shape}"
        found[f"{name}_real"] = direct(plot.x.value(one.x_px) if one else None, what)
        found[f"{name}_imag"] = direct(plot.y.value(one.y_px) if one else None, what)
    return found


def _marks(plot: MeasuredPlot, darkest: int) -> list[_Mark]:
    rows, columns = plot.box.inside
    dark = plot.picture.is_ink_of_axes(darkest, MOST_COLOUR)[rows, columns]
    bridged = ndimage.binary_closing(np.pad(dark, BRIDGE_PX), structure=np.ones((BRIDGE_PX, BRIDGE_PX)))
    labelled, count = ndimage.label(bridged[BRIDGE_PX:-BRIDGE_PX, BRIDGE_PX:-BRIDGE_PX], structure=EIGHT)
    if count > MOST_MARKS:
        raise CannotReadError("too many dark marks")
    marks = []
    for number, found in enumerate(ndimage.find_objects(labelled), 1):
        own = dark[found] & (labelled[found] == number)
        mark = _mark(own, found[0].start, found[1].start, dark)
        if mark is not None:
            marks.append(replace(mark, x_px=mark.x_px + columns.start, y_px=mark.y_px + rows.start))
    return marks


def _mark(own: MaskArray, first_row: int, first_column: int, dark: MaskArray) -> _Mark | None:
    """Return what a group of dark pixels is, perhaps neither cross nor circle; None for a speck."""
    ys, xs = np.nonzero(own)
    if ys.size == 0:
        return None
    height, width = np.ptp(ys) + 1, np.ptp(xs) + 1
    if max(height, width) < LEAST_SIZE_PX:
        return None
    y, x = (ys.min() + ys.max()) / 2 + first_row, (xs.min() + xs.max()) / 2 + first_column
    radius = (height + width) / 4
    ring = _share(dark, x, y, RING_ANGLES, radius * RING_SHARE)
    arm = _share(dark, x, y, ARM_ANGLES, radius * ARM_SHARE)
    square = bool(max(height, width) <= SQUAREST * min(height, width))
    return _Mark(x_px=float(x), y_px=float(y), is_pole=square and arm >= ENOUGH, is_zero=square and ring >= ENOUGH)


def _share(dark: MaskArray, x: float, y: float, angles: FloatArray, reach_px: FloatArray) -> float:
    """Share of directions in which the mark is dark at one of the distances."""
    rows = np.clip(np.round(y + reach_px * np.sin(angles)[:, None]).astype(int), 0, dark.shape[0] - 1)
    columns = np.clip(np.round(x + reach_px * np.cos(angles)[:, None]).astype(int), 0, dark.shape[1] - 1)
    return float(dark[rows, columns].any(axis=1).mean())


V4 = FamilyReader(name=NAME, fields=FIELDS, read=partial(read_marks, darkest=DARKEST))
V5 = FamilyReader(
    name=NAME, fields=FIELDS, read=partial(read_marks, darkest=DARKER_THAN_LINES), axes=("rad/s", "rad/s")
)
