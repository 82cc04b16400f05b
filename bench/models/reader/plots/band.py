"""A curve with one height in each column, drawn thin, as a noisy band or as circles: the centre of its ink."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

from bench.models.reader.plots.readings import CannotReadError
from bench.models.reader.plots.trace import Points

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray
    from bench.models.reader.plots.ink import Ink

__all__ = ["Band", "find_band"]

FAINTEST = 0.12
LEAST_INK_PX = 0.8
DOT_PX = 6
BESIDE_DOT_PX = 2
LEAST_COLUMNS = 30
RING_HOLES_PX = 150
LARGEST_HOLE_PX = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Centres of the ink in each column, in pixel indices of the picture; `ink_px`: how much ink each column has.

    `left_px`, `right_px`: the first and the last column with ink, under dots too. `circles`: the ink encloses many
    small holes, as open circles do.
    """

    points: Points
    ink_px: FloatArray
    left_px: float
    right_px: float
    circles: bool


def find_band(ink: Ink) -> Band:
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
    return Band(
        points=Points(x_px=columns.astype(np.float64) + ink.first_column, y_px=centres + float(ink.first_row)),
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
