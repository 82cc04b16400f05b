"""Marks of another colour than the curve's: the dot of an operating point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import ndimage

if TYPE_CHECKING:
    from bench.models.reader.plots.plot import Plot

__all__ = ["dot_px"]

ROUNDEST = 1.6
LEAST_PIXELS = 12


def dot_px(plot: Plot) -> tuple[float, float] | None:
    """Return column and row of the one round dot of another colour; None where there is none, or are several."""
    ink = plot.ink
    labelled, _ = ndimage.label(ink.others, structure=np.ones((3, 3)))
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(labelled), 1):
        height, width = rows.stop - rows.start, columns.stop - columns.start
        filled = labelled[rows, columns] == number
        if filled.sum() >= LEAST_PIXELS and max(height, width) <= ROUNDEST * min(height, width):
            y, x = np.nonzero(filled)
            found.append((x.mean() + columns.start + ink.first_column, y.mean() + rows.start + ink.first_row))
    return (float(found[0][0]), float(found[0][1])) if len(found) == 1 else None
