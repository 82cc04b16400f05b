"""How edition v5 looks: marks, frame, grids, curves.

Everything is drawn at pixels of the axes box through the `Axes` handed in. Grids and minor ticks are one
collection each: as ticks of their own they would take half the drawing time.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from generators.plotchain.v5.axes import HEIGHT_PX, LABEL_SIZE_PT, WIDTH_PX, tick_text, ticks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.axes import Frame

__all__ = [
    "CURVE_COLOR",
    "LEGEND_Y_PX",
    "Look",
    "Mark",
    "MarkDot",
    "MarkLine",
    "draw_curve",
    "draw_curve_b",
    "draw_frame",
    "draw_helpers",
    "draw_image",
    "draw_legend",
    "draw_marks",
    "draw_points",
    "draw_symbol",
    "horizontal",
    "vertical",
    "write",
    "zero_lines",
]

Look = Literal["dotted", "dashed", "zero"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkLine:
    """A line across the whole axes at a pixel; the letter stands beyond its end, above or right of the axes."""

    at_px: float
    is_vertical: bool
    look: Look
    letter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkDot:
    """A dot at a place in pixels."""

    x_px: float
    y_px: float


Mark = MarkLine | MarkDot


def vertical(x_px: float, look: Look = "dotted", letter: str = "") -> MarkLine:
    """Mark a place on the x axis."""
    return MarkLine(at_px=x_px, is_vertical=True, look=look, letter=letter)


def horizontal(y_px: float, look: Look = "dotted", letter: str = "") -> MarkLine:
    """Mark a level on the y axis."""
    return MarkLine(at_px=y_px, is_vertical=False, look=look, letter=letter)


def zero_lines(frame: Frame) -> tuple[MarkLine, MarkLine]:
    """Mark where both axes are zero."""
    return vertical(frame.x.px(0.0), "zero"), horizontal(frame.y.px(0.0), "zero")


CURVE_COLOR: Final = "#1f4e9c"
_TITLE_RISE_PX: Final = 31.0
LEGEND_Y_PX: Final = HEIGHT_PX + _TITLE_RISE_PX + 11.0
_CURVE_PT = 1.5
_BAND_PT = 0.9
_POINT_PT = 3.2
_CURVE_B_GREY = "0.55"
_DASHES = (0, (5, 3))
_HELPER_COLOR = "#d62728"
_HELPER_PT = 1.0
_HELPER_DOT_PT = 4.5
_TITLE_PT = 10.5
_NAME_PT = 10.0
_LETTER_PT = 9.0
_LETTER_GAP_PX = 4.0
_MINOR_TICK_PX = 4.0
_GRID_PT = 0.7
_MAJOR_GREY, _MINOR_GREY = "0.82", "0.92"
_NAME_X_PX, _NAME_Y_PX = -95.0, -60.0
_LOOKS: Mapping[Look, Mapping[str, Any]] = {
    "dotted": {"linestyle": (0, (1, 1.8)), "linewidth": 1.4, "color": "0.15"},
    "dashed": {"linestyle": _DASHES, "linewidth": 1.1, "color": "0.3"},
    "zero": {"linestyle": "-", "linewidth": 0.9, "color": "0.45"},
}
_SYMBOL_PT, _SYMBOL_LINE_PT = 8.0, 1.5
_SCALE_X_PX, _SCALE_HALF_PX, _SCALE_STEPS = (600.0, 740.0), 6.0, 64
_GRIDS, _MARKS, _SECOND, _CURVE, _DOTS = 0.5, 1.5, 2.0, 2.2, 3.0


def draw_frame(axes: Axes, frame: Frame, difficulty: Difficulty, *, title: str, has_grid: bool) -> None:
    """Set limits, ticks, axis names and title, and the grid that the difficulty allows."""
    axes.set_xlim(0.0, WIDTH_PX)
    axes.set_ylim(0.0, HEIGHT_PX)
    x, y = ticks_of(frame, difficulty)
    columns, rows = [frame.x.px(value) for value in x.values], [frame.y.px(value) for value in y.values]
    minor_columns, minor_rows = [frame.x.px(value) for value in x.minor], [frame.y.px(value) for value in y.minor]
    axes.set_xticks(columns, x.labels)
    axes.set_yticks(rows, y.labels)
    axes.tick_params(labelsize=LABEL_SIZE_PT)
    _draw_minor_ticks(axes, minor_columns, minor_rows)
    if has_grid and difficulty == "clean":
        _draw_grid(axes, minor_columns, minor_rows, _MINOR_GREY)
    if has_grid and difficulty != "edge":
        _draw_grid(axes, columns, rows, _MAJOR_GREY)
    write(axes, WIDTH_PX / 2.0, _NAME_Y_PX, frame.x.name.text, size_pt=_NAME_PT)
    write(axes, _NAME_X_PX, HEIGHT_PX / 2.0, frame.y.name.text, size_pt=_NAME_PT, rotation=90.0)
    write(axes, WIDTH_PX / 2.0, HEIGHT_PX + _TITLE_RISE_PX, title, size_pt=_TITLE_PT, va="bottom")


def write(
    axes: Axes,
    x_px: float,
    y_px: float,
    text: str,
    *,
    size_pt: float = _LETTER_PT,
    ha: str = "center",
    va: str = "center",
    rotation: float = 0.0,
) -> None:
    """Write a text, if there is one, at a pixel inside the axes box or beyond it."""
    if text:
        axes.text(x_px, y_px, text, fontsize=size_pt, ha=ha, va=va, rotation=rotation)


def draw_marks(axes: Axes, marks: Iterable[MarkLine]) -> None:
    """Draw structural marks, their letters beyond the axes where nothing else stands."""
    for mark in marks:
        _draw_line(axes, mark, **_LOOKS[mark.look])


def draw_helpers(axes: Axes, marks: Iterable[Mark]) -> None:
    """Draw helpers in red: dashed lines and dots."""
    for mark in marks:
        if isinstance(mark, MarkDot):
            axes.plot([mark.x_px], [mark.y_px], "o", color=_HELPER_COLOR, markersize=_HELPER_DOT_PT, zorder=_DOTS)
        else:
            _draw_line(axes, mark, color=_HELPER_COLOR, linewidth=_HELPER_PT, linestyle=_DASHES)


def _draw_line(axes: Axes, line: MarkLine, **style: Any) -> None:  # noqa: ANN401 - Matplotlib's
    draw = axes.axvline if line.is_vertical else axes.axhline
    draw(line.at_px, zorder=_MARKS, **style)
    if line.is_vertical:
        write(axes, line.at_px, HEIGHT_PX + _LETTER_GAP_PX, line.letter, va="bottom")
    else:
        write(axes, WIDTH_PX + _LETTER_GAP_PX, line.at_px, line.letter, ha="left")


def draw_curve(axes: Axes, x_px: FloatArray, y_px: FloatArray, *, is_band: bool = False) -> None:
    """Draw the curve that is asked about."""
    width_pt = _BAND_PT if is_band else _CURVE_PT
    axes.plot(x_px, y_px, color=CURVE_COLOR, linewidth=width_pt, zorder=_CURVE)


def draw_points(axes: Axes, x_px: FloatArray, y_px: FloatArray) -> None:
    """Draw the points that are asked about, as open circles."""
    axes.plot(x_px, y_px, "o", color=CURVE_COLOR, markersize=_POINT_PT, markerfacecolor="none", zorder=_CURVE)


def draw_curve_b(axes: Axes, x_px: FloatArray, y_px: FloatArray) -> None:
    """Draw the curve that is to be ignored."""
    axes.plot(x_px, y_px, color=_CURVE_B_GREY, linestyle=_DASHES, linewidth=_CURVE_PT, zorder=_SECOND)


def draw_legend(axes: Axes, *, with_points: bool) -> None:
    """Name both curves, right above the axes."""
    at_px = LEGEND_Y_PX
    style: dict[str, Any] = {"clip_on": False, "linewidth": _CURVE_PT}
    if with_points:
        style |= {"marker": "o", "markersize": _POINT_PT, "markerfacecolor": "none", "linestyle": "none"}
    axes.plot([680.0, 700.0, 720.0], [at_px] * 3, color=CURVE_COLOR, **style)
    write(axes, 732.0, at_px, "A", ha="left")
    axes.plot(
        [758.0, 790.0], [at_px] * 2, color=_CURVE_B_GREY, linestyle=_DASHES, linewidth=_CURVE_PT, clip_on=False
    )
    write(axes, 798.0, at_px, "B", ha="left")


def draw_symbol(axes: Axes, x_px: float, y_px: float, symbol: str) -> None:
    """Draw a cross ("x") or an open circle ("o") in black, inside the axes box or beyond it."""
    axes.plot(
        [x_px],
        [y_px],
        symbol,
        color="black",
        markersize=_SYMBOL_PT,
        markeredgewidth=_SYMBOL_LINE_PT,
        markerfacecolor="none",
        clip_on=False,
        zorder=_DOTS,
    )


def draw_image(axes: Axes, levels_db: FloatArray, *, low: float, high: float) -> None:
    """Fill the axes with cells coloured by level, rows from the bottom, and show the scale above them."""
    axes.imshow(
        levels_db,
        origin="lower",
        extent=(0.0, WIDTH_PX, 0.0, HEIGHT_PX),
        aspect="auto",
        interpolation="nearest",
        cmap="viridis",
        vmin=low,
        vmax=high,
    )
    left, right = _SCALE_X_PX
    place = (left, right, LEGEND_Y_PX - _SCALE_HALF_PX, LEGEND_Y_PX + _SCALE_HALF_PX)
    axes.imshow([[*range(_SCALE_STEPS)]], extent=place, aspect="auto", cmap="viridis", clip_on=False)
    write(axes, left - _LETTER_GAP_PX, LEGEND_Y_PX, tick_text(low), ha="right", size_pt=LABEL_SIZE_PT)
    write(axes, right + _LETTER_GAP_PX, LEGEND_Y_PX, f"{tick_text(high)} dB", ha="left", size_pt=LABEL_SIZE_PT)
    axes.set_xlim(0.0, WIDTH_PX)
    axes.set_ylim(0.0, HEIGHT_PX)


def _draw_grid(axes: Axes, columns: list[float], rows: list[float], grey: str) -> None:
    lines = [[(at, 0.0), (at, HEIGHT_PX)] for at in columns] + [[(0.0, at), (WIDTH_PX, at)] for at in rows]
    _add_lines(axes, lines, color=grey, linewidth=_GRID_PT, zorder=_GRIDS)


def _draw_minor_ticks(axes: Axes, columns: list[float], rows: list[float]) -> None:
    lines = [[(at, 0.0), (at, -_MINOR_TICK_PX)] for at in columns]
    lines += [[(0.0, at), (-_MINOR_TICK_PX, at)] for at in rows]
    _add_lines(axes, lines, color="black", linewidth=0.6, clip_on=False)


def _add_lines(axes: Axes, lines: list[list[tuple[float, float]]], **style: Any) -> None:  # noqa: ANN401 - Matplotlib's
    # Imported by name: importing a family must not load Matplotlib, and it is loaded when there are axes.
    collections = importlib.import_module("matplotlib.collections")
    axes.add_collection(collections.LineCollection(lines, **style), autolim=False)
