"""Charts as SVG, written by hand: Matplotlib takes half a second to load, more than all the rest of the report.

Units are CSS pixels at a width of 360, the width of a phone. Colours are classes of the style sheet, so that they
follow the reader's light or dark setting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.report.markup import Html, element, joined
from bench.report.words import percent, percent_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.report.pass_rates import PassRate
    from bench.statistics.intervals import Interval

__all__ = ["MODEL_COLOURS", "Bar", "DotRow", "bar_chart", "dot_plot", "interval_bar"]

MODEL_COLOURS = 8
_WIDTH = 360
_LABEL_WIDTH = 108
_RIGHT = 46
_ROW_HEIGHT = 20
_MODEL_HEIGHT = 14
_BARS_HEIGHT = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class DotRow:
    """One group of a dot plot: its name, and each model's pass rate in it, None where it has no case there."""

    label: str
    rates: Sequence[PassRate | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: what stands below it, how many it counts, and the style sheet's class of its colour."""

    label: str
    n: int
    tone: str


def interval_bar(interval: Interval) -> Html:
    """Draw a rate and its 95 % interval on a scale from 0 to 1, 200 wide and 14 high."""
    if interval.rate is None or interval.low is None or interval.high is None:
        return Html("")
    return _svg(
        200,
        14,
        element("rect", x=0, y=6, width=200, height=2, class_="track"),
        element(
            "rect",
            x=_rounded(200 * interval.low),
            y=4,
            width=_rounded(max(1.0, 200 * (interval.high - interval.low))),
            height=6,
            rx=3,
            class_="interval",
        ),
        element("circle", cx=_rounded(200 * interval.rate), cy=7, r=4, class_="rate"),
        about=f"{percent(interval.rate)}, 95 % interval {percent_range(interval)}",
        name="interval-bar",
    )


def dot_plot(rows: Sequence[DotRow], *, about: str) -> Html:
    """Draw pass rates as dots with their intervals: a block of lines for each row, in it a line for each model."""
    parts: list[Html] = []
    top = 4.0
    for row in rows:
        height = max(_ROW_HEIGHT, _MODEL_HEIGHT * len(row.rates) + 6)
        middle = top + height / 2
        parts.append(_text(_LABEL_WIDTH - 6, middle + 4, row.label, anchor="end"))
        first = middle - _MODEL_HEIGHT * (len(row.rates) - 1) / 2
        for model, rate in enumerate(row.rates):
            if rate is not None:
                parts.append(_dot(rate, model, first + _MODEL_HEIGHT * model))
        top += height
    return _svg(_WIDTH, top + 18, _rate_axis(top), *parts, about=about, name="chart")


def _dot(rate: PassRate, model: int, y: float) -> Html:
    interval = rate.interval
    if interval.rate is None or interval.low is None or interval.high is None:
        return Html("")
    colour = f"m{model % MODEL_COLOURS}"
    return element(
        "g",
        element("title", f"{rate.passed} of {rate.n}, 95 % interval {percent_range(interval)}"),
        element(
            "line",
            x1=_along(interval.low),
            x2=_along(interval.high),
            y1=_rounded(y),
            y2=_rounded(y),
            class_=f"whisker {colour}",
        ),
        element("circle", cx=_along(interval.rate), cy=_rounded(y), r=4, class_=f"dot {colour}"),
        _text(_WIDTH - _RIGHT + 8, y + 4, percent(interval.rate)),
    )


def _rate_axis(bottom: float) -> Html:
    marks = []
    for quarter in range(5):
        x = _along(quarter / 4)
        marks.append(element("line", x1=x, x2=x, y1=0, y2=_rounded(bottom), class_="grid"))
        marks.append(
            _text(float(x), bottom + 14, f"{25 * quarter} %" if quarter % 2 == 0 else "", anchor="middle")
        )
    return joined(*marks)


def _along(rate: float) -> str:
    return _rounded(_LABEL_WIDTH + rate * (_WIDTH - _LABEL_WIDTH - _RIGHT))


def bar_chart(bars: Sequence[Bar], *, about: str) -> Html:
    """Draw counts as bars, each with its count above and its label below."""
    most = max((bar.n for bar in bars), default=0) or 1
    step = _WIDTH / max(1, len(bars))
    parts = []
    for place, bar in enumerate(bars):
        height = (_BARS_HEIGHT - 16) * bar.n / most
        middle = step * (place + 0.5)
        parts.append(
            element(
                "rect",
                x=_rounded(middle - step * 0.4),
                y=_rounded(_BARS_HEIGHT - height),
                width=_rounded(step * 0.8),
                height=_rounded(height),
                class_=bar.tone,
            )
        )
        parts.append(_text(middle, _BARS_HEIGHT - height - 4, str(bar.n), anchor="middle"))
        parts.append(_text(middle, _BARS_HEIGHT + 13, bar.label, anchor="middle"))
    base = element("line", x1=0, x2=_WIDTH, y1=_BARS_HEIGHT, y2=_BARS_HEIGHT, class_="grid")
    return _svg(_WIDTH, _BARS_HEIGHT + 20, *parts, base, about=about, name="chart")


def _svg(width: float, height: float, *parts: Html, about: str, name: str) -> Html:
    box = f"0 0 {_rounded(width)} {_rounded(height)}"
    return element("svg", *parts, **{"class": name, "viewBox": box, "role": "img", "aria-label": about})


def _text(x: float, y: float, text: str, *, anchor: str | None = None) -> Html:
    return element("text", text, x=_rounded(x), y=_rounded(y), text_anchor=anchor)


def _rounded(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
