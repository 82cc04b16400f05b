"""Marks that several families draw the same way: curve, names, grid, limits, ticks, helper lines.

Everything goes through the `Axes` that is handed in, so that importing a family needs no Matplotlib.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Extent
    from generators.plotchain.numeric import FloatArray

__all__ = [
    "corner",
    "curve",
    "dashed_horizontal",
    "dashed_vertical",
    "dot",
    "frame",
    "grid",
    "marker_frequency",
    "name_axes",
    "note",
]

_GRID_WIDTH_PT = 0.8
_SLACK = 1e-9
_NOTE_SIZE_PT = 9
_HELPER_ALPHA = 0.6
_HELPER_WIDTH_PT = 1.0
_MARKER_ALPHA = 0.9
_MARKER_WIDTH_PT = 1.2
_MARKER_TEXT_RISE = 0.0125
_DOT_SIZE_PT = 5
_CORNER_AREA_PT2 = 22


def name_axes(axes: Axes, *, title: str, x: str, y: str) -> None:
    """Write title and axis names; units stand in the axis names."""
    axes.set_title(title, y=1.0)  # where automatic placement puts it, found without a search
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def curve(axes: Axes, x: FloatArray, y: FloatArray, *, width_pt: float, log_x: bool = False) -> None:
    """Draw the one curve of a plot in the default blue, over a logarithmic x axis where `log_x` says so."""
    draw = axes.semilogx if log_x else axes.plot
    draw(x, y, linewidth=width_pt)


def grid(axes: Axes, *, which: Literal["major", "both"] = "major", alpha: float = 0.30) -> None:
    """Draw thin grey grid lines at the major, or at major and minor ticks."""
    axes.grid(visible=True, which=which, alpha=alpha, linewidth=_GRID_WIDTH_PT)


def frame(axes: Axes, extent: Extent) -> None:
    """Fix limits, and put major ticks at the multiples of each tick step that lie inside them."""
    axes.set_xlim(extent.x_min, extent.x_max)
    axes.set_ylim(extent.y_min, extent.y_max)
    for step, low, high, set_ticks in (
        (extent.tick_step_x, extent.x_min, extent.x_max, axes.set_xticks),
        (extent.tick_step_y, extent.y_min, extent.y_max, axes.set_yticks),
    ):
        if step is not None:
            first, last = math.ceil(low / step - _SLACK), math.floor(high / step + _SLACK)
            set_ticks([step * count for count in range(first, last + 1)])


def dashed_horizontal(axes: Axes, y: float, *, alpha: float = _HELPER_ALPHA) -> None:
    """Draw a dashed helper line across the axes at `y`."""
    axes.axhline(y, linestyle="--", linewidth=_HELPER_WIDTH_PT, alpha=alpha)


def dashed_vertical(axes: Axes, x: float) -> None:
    """Draw a dashed helper line up the axes at `x`."""
    axes.axvline(x, linestyle="--", linewidth=_HELPER_WIDTH_PT, alpha=_HELPER_ALPHA)


def dot(axes: Axes, x: float, y: float) -> None:
    """Draw an unlabelled dot in the next colour of the default cycle."""
    axes.plot([x], [y], marker="o", markersize=_DOT_SIZE_PT)


def corner(axes: Axes, x: float, y: float, *, text_y: float) -> None:
    """Mark a corner frequency: dashed vertical, dot on the curve, `fc` standing on `text_y`."""
    dashed_vertical(axes, x)
    axes.scatter([x], [y], s=_CORNER_AREA_PT2)
    note(axes, x, text_y, "fc", ha="center", va="bottom")


def marker_frequency(axes: Axes, x: float, *, low: float, high: float) -> None:
    """Mark the query frequency: dotted vertical and `f_q`, turned upright, near the curve's lowest level.

    `low` and `high` are the curve's range in axis units.
    """
    axes.axvline(x, linestyle=":", linewidth=_MARKER_WIDTH_PT, alpha=_MARKER_ALPHA)
    text_y = low + _MARKER_TEXT_RISE * (high - low)
    note(axes, x, text_y, "f_q", ha="left", va="bottom", rotation=90.0)


def note(axes: Axes, x: float, y: float, text: str, *, ha: str, va: str, rotation: float = 0.0) -> None:
    """Write a small text at a data position."""
    axes.text(x, y, text, ha=ha, va=va, rotation=rotation, fontsize=_NOTE_SIZE_PT)
