"""Pole-zero plot: one cross and one circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from scipy import ndimage

from bench.models.reader.plots.readings import CannotReadError, FieldReading, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.plot import Plot

__all__ = ["FAMILY", "PoleZero"]

DARKEST = 128
MOST_COLOUR = 40
BRIDGE_PX = 7
LEAST_SIZE_PX = 8
SQUAREST = 1.35
RING_ANGLES = np.radians(np.array([22.5, 67.5]) + 90.0 * np.arange(4)[:, None]).ravel()
ARM_ANGLES = np.radians(45.0 + 90.0 * np.arange(4))
RING_SHARE = np.linspace(0.7, 1.0, 7)
ARM_SHARE = np.linspace(0.35, 0.6, 5)
ENOUGH = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    x_px: float
    y_px: float
    is_pole: bool
    is_zero: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoleZero:
    """Black marks on the plane; the axes through zero may lie over them. `darkest`: marks are darker than this."""

    darkest: int = DARKEST
    name: ClassVar[str] = "pole_zero"
    fields: ClassVar[tuple[str, ...]] = ("pole_real", "pole_imag", "zero_real", "zero_imag")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Find the marks and tell cross from circle by where they are dark."""
        marks = _marks(plot, self.darkest)
        if not all(mark.is_pole or mark.is_zero for mark in marks):
            raise CannotReadError("dark marks that are neither cross nor circle")
        if not (any(mark.is_pole for mark in marks) and any(mark.is_zero for mark in marks)):
            raise CannotReadError("no cross and circle")
        found: dict[str, FieldReading] = {}
        for name, shape, chosen in (
            ("pole", "cross", [mark for mark in marks if mark.is_pole]),
            ("zero", "circle", [mark for mark in marks if mark.is_zero]),
        ):
            one = chosen[0] if len(chosen) == 1 else None
            what = f"centre of the {shape}" if one else f"{len(chosen)} marks look like a {shape}"
            found[f"{name}_real"] = direct(plot.x.value(one.x_px) if one else None, what)
            found[f"{name}_imag"] = direct(plot.y.value(one.y_px) if one else None, what)
        return found


def _marks(plot: Plot, darkest: int) -> list[_Mark]:
    rows, columns = plot.box.inside
    dark = plot.picture.is_ink_of_axes(darkest, MOST_COLOUR)[rows, columns]
    bridged = ndimage.binary_closing(np.pad(dark, BRIDGE_PX), structure=np.ones((BRIDGE_PX, BRIDGE_PX)))
    labelled, count = ndimage.label(bridged[BRIDGE_PX:-BRIDGE_PX, BRIDGE_PX:-BRIDGE_PX], structure=np.ones((3, 3)))
    if count > 50:  # noqa: PLR2004
        raise CannotReadError("too many dark marks")
    marks = []
    for number, found in enumerate(ndimage.find_objects(labelled), 1):
        own = dark[found] & (labelled[found] == number)
        mark = _mark(own, found[0].start, found[1].start, dark)
        if mark is not None:
            marks.append(_moved(mark, rows.start, columns.start))
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


def _moved(mark: _Mark, rows: int, columns: int) -> _Mark:
    return _Mark(x_px=mark.x_px + columns, y_px=mark.y_px + rows, is_pole=mark.is_pole, is_zero=mark.is_zero)


FAMILY = PoleZero()
