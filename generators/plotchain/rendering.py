"""Matplotlib, kept in one place: pinned style, Agg canvas, PNG bytes that depend on nothing else."""

from __future__ import annotations

import io
import math
import threading
import warnings
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox, BboxBase

from generators.png import PngSize, encode_rgba

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis, Tick
    from matplotlib.font_manager import FontProperties

    from generators.plotchain.family import PixelBox, PlotCase, PlotFamily

__all__ = ["build_figure", "pinned_style", "render_png"]

_DPI = 160
_PAD_IN = 0.1
_ASCENT_EM = 1556 / 2048
_DESCENT_EM = 426 / 2048
_EXTRA_WIDTH_PX = 0.15
_EXTRA_MATH_PX = (0.5, 0.25)
_LOCK = threading.Lock()
# One parser for all renderers, because it remembers labels: parsing "10^3" costs more than drawing it.
_MATH_PARSERS: dict[str, Any] = {}


class _Renderer(RendererAgg):
    """Agg with text boxes as Matplotlib 3.10.8 measured them when it drew the release.

    There a text was as tall as the letters "lp" of DejaVu Sans, in whole pixels. From 3.11 on boxes come
    from the font's line height and unhinted outlines, which shifts axis names and crop by some pixels; the
    constants above bring back the sizes of all published pictures.
    """

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(width, height, dpi)  # type: ignore[no-untyped-call]
        self.mathtext_parser = _MATH_PARSERS.setdefault("agg", self.mathtext_parser)

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Literal["TeX"] | bool
    ) -> tuple[float, float, float]:
        width, height, descent = super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]
        if ismath:
            return width + _EXTRA_MATH_PX[0], height + _EXTRA_MATH_PX[1], descent
        ascent, descent, _ = self._get_font_height_metrics(prop)
        return width + _EXTRA_WIDTH_PX, ascent + descent, descent

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[float, float, float]:
        em = prop.get_size_in_points() * _DPI / 72.0
        return math.floor(_ASCENT_EM * em), math.floor(_DESCENT_EM * em), 0.0


class _Canvas(FigureCanvasAgg):
    _made: RendererAgg | None = None

    def get_renderer(self) -> RendererAgg:
        size = self.get_width_height(physical=True)
        if self._made is None or (self._made.width, self._made.height) != size:
            self._made = (RendererAgg if _measures_as_released() else _Renderer)(*size, self.figure.dpi)
        return self._made


def render_png(family: PlotFamily[Any], case: PlotCase[Any]) -> bytes:
    """Draw one case and return PNG bytes: 160 dpi, opaque RGBA, no metadata.

    Cropped to content unless the family fixes where its axes lie.

    Style is Matplotlib's own default whatever the user has configured.
    """
    pixels = io.BytesIO()
    with pinned_style():
        figure = build_figure(family, case)
        canvas = _Canvas(figure)
        crop = None if family.axes_box_px else _measured_crop(figure, canvas.get_renderer())
        figure.savefig(pixels, format="rgba", dpi=_DPI, bbox_inches=crop)
    drawn = canvas.renderer
    size = PngSize(width=int(drawn.width), height=int(drawn.height))
    return encode_rgba(pixels.getvalue(), size, dpi=_DPI)


def build_figure(family: PlotFamily[Any], case: PlotCase[Any]) -> Figure:
    """Draw one case into a new figure of the family's size; call it inside `pinned_style`."""
    figure = Figure(figsize=family.figure_size_in, dpi=_DPI)
    axes = _empty_axes(figure, family.axes_box_px)
    for axis in (axes.xaxis, axes.yaxis):
        _copy_ticks(axis)
    family.draw(axes, case)
    return figure


def _empty_axes(figure: Figure, box: PixelBox | None) -> Axes:
    if box is None:
        return figure.add_subplot()
    width, height = figure.bbox.width, figure.bbox.height
    return figure.add_axes((box.left / width, box.bottom / height, box.width / width, box.height / height))


def _copy_ticks(axis: Axis) -> None:
    """Let every tick of an axis but the first be a copy of the first.

    Matplotlib makes each from the same settings, two texts and three lines of which two are never seen, and then
    copies the first one's properties to it: that was a third of the time of a picture.
    """
    make = axis._get_tick  # type: ignore[attr-defined]  # noqa: SLF001

    def get_tick(*, major: bool) -> Tick:
        ticks: list[Tick] = vars(axis).get("majorTicks" if major else "minorTicks", [])
        return _copied(ticks[0]) if ticks else make(major=major)

    axis._get_tick = get_tick  # type: ignore[attr-defined]  # noqa: SLF001
    axis._copy_tick_props = lambda first, new: None  # type: ignore[attr-defined]  # noqa: SLF001, ARG005


def _copied(tick: Tick) -> Tick:
    new = copy(tick)
    for part in ("tick1line", "tick2line", "gridline", "label1", "label2"):
        setattr(new, part, copy(getattr(tick, part)))
    return new


@contextmanager
def pinned_style() -> Iterator[None]:
    """Set Matplotlib's defaults while drawing, whatever the user has configured, and undo it afterwards.

    Settings are global, so drawing is serialised between threads.
    """
    with _LOCK:
        current = {name: mpl.rcParams[name] for name in _style()}
        changed = {name: value for name, value in _style().items() if current[name] != value}
        _set(changed)
        try:
            yield
        finally:
            _set({name: current[name] for name in changed})


def _set(values: dict[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a user's own deprecated setting is no news while drawing
        mpl.rcParams.update(values)


@cache
def _style() -> dict[Any, Any]:
    # Asking for the setting "backend" would import pyplot and whatever window system it names.
    default: dict[Any, Any] = mpl.rcParamsDefault
    style = {name: default[name] for name in default if name != "backend"}
    if not _measures_as_released():
        style["text.hinting"] = "no_hinting"  # nearest to the release's text widths
    return style


def _measures_as_released() -> bool:
    return mpl.__version_info__ < (3, 11)


def _measured_crop(figure: Figure, renderer: RendererAgg) -> Bbox:
    """Return the content's box in inches, padded, and let axis names stay where measuring put them.

    `bbox_inches="tight"` would lay everything out once more, and drawing would place the names a third
    time; the pixels are the same, at half the time.
    """
    axes = figure.axes[0]
    boxes: list[BboxBase | None] = [axes.bbox, axes.title.get_window_extent(renderer)]
    for axis in (axes.xaxis, axes.yaxis):
        boxes.append(axis.get_tightbbox(renderer))
        position = axis.label.get_transform().transform(axis.label.get_position())
        axis.set_label_coords(*axes.transAxes.inverted().transform(position))
    content = Bbox.union([box for box in boxes if box is not None])
    return content.transformed(figure.dpi_scale_trans.inverted()).padded(_PAD_IN)
