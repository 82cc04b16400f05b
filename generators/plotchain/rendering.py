"""Matplotlib, kept in one place: pinned style, Agg canvas, PNG bytes that depend on nothing else."""

from __future__ import annotations

import io
import math
import threading
from typing import TYPE_CHECKING, Any, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

    from generators.plotchain.family import Case, Family

__all__ = ["build_figure", "render_png"]

_DPI = 160
_PAD_IN = 0.1
_ASCENT_EM = 1556 / 2048
_DESCENT_EM = 426 / 2048
_EXTRA_WIDTH_PX = 0.15
_EXTRA_MATH_PX = (0.5, 0.25)
_LOCK = threading.Lock()


class _Renderer(RendererAgg):
    """Agg with text boxes of the letters "lp" in DejaVu Sans, in whole pixels.

    Matplotlib 3.10.8 drew the release with such boxes; other versions measure otherwise, which shifts axis
    names and crop by some pixels.
    """

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Literal["TeX"] | bool
    ) -> tuple[float, float, float]:
        width, height, descent = super().get_text_width_height_descent(s, prop, ismath)
        if ismath:
            return width + _EXTRA_MATH_PX[0], height + _EXTRA_MATH_PX[1], descent
        ascent, descent, _ = self._get_font_height_metrics(prop)
        return width + _EXTRA_WIDTH_PX, ascent + descent, descent

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[float, float, float]:
        em = self.points_to_pixels(prop.get_size_in_points())
        return math.floor(_ASCENT_EM * em), math.floor(_DESCENT_EM * em), 0.0


class _Canvas(FigureCanvasAgg):
    def get_renderer(self) -> RendererAgg:
        width, height = self.get_width_height(physical=True)
        return _Renderer(width, height, self.figure.dpi)


def render_png(family: Family[Any], case: Case[Any]) -> bytes:
    """Draw one case and return PNG bytes: 160 dpi, cropped to content, opaque RGBA, no metadata.

    Style is Matplotlib's own default whatever the user has configured. Drawing changes global settings
    while it runs and is therefore serialised between threads.
    """
    with _LOCK, mpl.rc_context(_pinned_style()):
        figure = build_figure(family, case)
        crop = figure.get_tightbbox(figure.canvas.get_renderer()).padded(_PAD_IN)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=_DPI, bbox_inches=crop, metadata={"Software": None})
    return buffer.getvalue()


def build_figure(family: Family[Any], case: Case[Any]) -> Figure:
    """Draw one case into a new figure of the family's size; the caller sets the style."""
    figure = Figure(figsize=family.figure_size_in, dpi=_DPI)
    _Canvas(figure)
    family.draw(figure.add_subplot(), case)
    return figure


def _pinned_style() -> dict[Any, Any]:
    """Return the settings that differ from Matplotlib's defaults, with their default values."""
    default = {**mpl.rcParamsDefault, "text.hinting": "no_hinting"}
    current = dict(mpl.rcParams)
    return {name: value for name, value in default.items() if current[name] != value and name != "backend"}
