"""Matplotlib, kept in one place: pinned style, Agg canvas, PNG bytes that depend on nothing else."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.family import Case, Family

__all__ = ["build_figure", "render_png"]

_DPI = 160
_NO_METADATA = {"Software": None}
_LOCK = threading.Lock()


def render_png(family: Family[Any], case: Case[Any]) -> bytes:
    """Draw one case and return PNG bytes: 160 dpi, cropped to content, opaque RGBA, no metadata.

    Style is Matplotlib's own default whatever the user has configured. Drawing changes global settings
    while it runs and is therefore serialised between threads.
    """
    with _LOCK, mpl.rc_context(_pinned_style()):
        figure = build_figure(family, case)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=_DPI, bbox_inches="tight", metadata=_NO_METADATA)
    return buffer.getvalue()


def build_figure(family: Family[Any], case: Case[Any]) -> Figure:
    """Draw one case into a new figure of the family's size; the caller sets the style."""
    figure = Figure(figsize=family.figure_size_in, dpi=_DPI)
    FigureCanvasAgg(figure)
    family.draw(figure.add_subplot(), case)
    return figure


def _pinned_style() -> Mapping[str, Any]:
    """Return the settings that differ from Matplotlib's defaults, with their default values."""
    default, current = dict(mpl.rcParamsDefault), dict(mpl.rcParams)
    return {name: value for name, value in default.items() if current[name] != value and name != "backend"}
