"""Where the axes are: the box of dark spines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from bench.models.reader.picture import FloatArray, MaskArray, Picture

__all__ = ["AxesBox", "Spine", "find_box"]

DARKEST = 128
DARKER = 80
MOST_COLOUR = 40
SHARE_OF_WIDTH = 0.5
SHARE_OF_HEIGHT = 0.5
THICKEST_PX = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    """A straight dark line: first and last pixel across it, and its centre."""

    first: int
    last: int

    @property
    def centre(self) -> float:
        """Middle of the line, in pixel indices."""
        return (self.first + self.last) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class AxesBox:
    """The four spines, in pixel indices of the picture (row 0 on top)."""

    left: Spine
    right: Spine
    top: Spine
    bottom: Spine

    @property
    def inside(self) -> tuple[slice, slice]:
        """Rows and columns between the spines."""
        return slice(self.top.last + 1, self.bottom.first), slice(self.left.last + 1, self.right.first)

    @property
    def width_px(self) -> float:
        """Distance between the side spines' centres."""
        return self.right.centre - self.left.centre

    @property
    def height_px(self) -> float:
        """Distance between the upper and lower spines' centres."""
        return self.bottom.centre - self.top.centre


def find_box(picture: Picture) -> AxesBox:
    """Find the one box that dark neutral lines make.

    Lines across the whole axes that are greyer than the spines, such as those through zero, are no sides.

    Raises:
        CannotReadError: there is no box, or more than one pair of lines could be its sides.
    """
    rows, columns = _long_lines(picture, DARKEST)
    if min(len(rows), len(columns)) >= 2 and len(rows) + len(columns) > 4:  # noqa: PLR2004
        rows, columns = _long_lines(picture, DARKER)
    if len(rows) != 2 or len(columns) != 2:  # noqa: PLR2004 - two and two make a box
        raise CannotReadError(
            f"no axes box: {len(rows)} long horizontal and {len(columns)} long vertical dark lines"
        )
    box = AxesBox(left=columns[0], right=columns[1], top=rows[0], bottom=rows[1])
    thickest = max(spine.last - spine.first + 1 for spine in (*rows, *columns))
    if thickest > THICKEST_PX or min(box.width_px, box.height_px) < 4 * THICKEST_PX:
        raise CannotReadError("no axes box: the dark lines are too thick or too close together")
    return box


def _long_lines(picture: Picture, darkest: int) -> tuple[list[Spine], list[Spine]]:
    dark = picture.is_ink_of_axes(darkest, MOST_COLOUR)
    return (
        _spines(_longest_runs(dark) > SHARE_OF_WIDTH * dark.shape[1]),
        _spines(_longest_runs(dark.T) > SHARE_OF_HEIGHT * dark.shape[0]),
    )


def _longest_runs(mask: MaskArray) -> FloatArray:
    """Length of the longest unbroken run in each row; one broken pixel ends a run."""
    longest = np.zeros(mask.shape[0])
    likely = np.flatnonzero(mask.sum(axis=1) > 0.4 * mask.shape[1])  # the others cannot hold a long run
    for row in likely:
        edges = np.flatnonzero(np.diff(np.concatenate(([0], mask[row].view(np.int8), [0]))))
        longest[row] = (edges[1::2] - edges[::2]).max(initial=0)
    return longest


def _spines(found: MaskArray) -> list[Spine]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], found.view(np.int8), [0]))))
    return [
        Spine(first=int(first), last=int(after) - 1) for first, after in zip(edges[::2], edges[1::2], strict=True)
    ]
