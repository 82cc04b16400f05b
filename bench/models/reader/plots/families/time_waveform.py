"""Periodic voltage over time: sine, triangle or square, told from the curve and not from the title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.models.reader.plots.families import FamilyReader
from bench.models.reader.plots.fit import fit_law
from bench.models.reader.plots.readings import CannotReadError, all_fitted, convention, direct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.picture import FloatArray
    from bench.models.reader.plots.curve import CurvePoints
    from bench.models.reader.plots.plot import MeasuredPlot
    from bench.models.reader.plots.readings import FieldValue

__all__ = ["V4", "V5"]

NAME = "time_waveform"
FIELDS = ("frequency_hz", "vpp_v", "cp_period_s", "cp_vmax_v", "cp_vmin_v", "cp_duty")

EXTREME_SHARE = 0.05
AT_LEVELS_SHARE = 0.7
RAMP = (0.3, 0.7)
LEAST_SWING_STROKES = 4.0

BETWEEN_LEVELS = (0.2, 0.8)
BETWEEN_SHARE = 0.15

MOST_CYCLES = 16.0
LEAST_CYCLES = 0.7
TRIALS = 120
TRIED_POINTS = 250


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edge:
    """Where a square wave changes level."""

    time_s: float
    rising: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timing:
    """Period and share of it at the higher level; `seen` False where a convention was needed."""

    period_s: float
    duty: float
    seen: bool
    what: str


def read_v4(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read a square wave's levels and edges; fit sine and triangle to anything else and keep the nearer."""
    rows = plot.curve.columns.y_px
    if rows.size == 0:
        raise CannotReadError("the curve cannot be traced")
    top, bottom = float(rows.min()), float(rows.max())
    if bottom - top < LEAST_SWING_STROKES * plot.curve.stroke_px:
        raise CannotReadError("the curve hardly moves")
    near = (rows < top + EXTREME_SHARE * (bottom - top)) | (rows > bottom - EXTREME_SHARE * (bottom - top))
    return _square_v4(plot, top, bottom) if near.mean() > AT_LEVELS_SHARE else _smooth(plot, plot.curve.points)


def _square_v4(plot: MeasuredPlot, top_px: float, bottom_px: float) -> dict[str, FieldValue]:
    columns = plot.curve.columns
    middle = (top_px + bottom_px) / 2
    high = plot.y.value(float(np.median(columns.y_px[columns.y_px < middle])))
    low = plot.y.value(float(np.median(columns.y_px[columns.y_px > middle])))
    edges = _edges_v4(plot, top_px, bottom_px)
    if len({edge.rising for edge in edges}) < 2:  # noqa: PLR2004 - a wave goes up and comes down
        raise CannotReadError("the curve does not both rise and fall between two levels")
    return _square_fields(high, low, _timing(edges, plot.x.value(plot.curve.left_px)))


def _edges_v4(plot: MeasuredPlot, top_px: float, bottom_px: float) -> list[_Edge]:
    """Return the edges in order: the middle of each ramp between the levels."""
    points = plot.curve.points
    low, high = (top_px + share * (bottom_px - top_px) for share in RAMP)
    inner = points.where((points.y_px > low) & (points.y_px < high))
    groups = np.split(
        np.arange(inner.x_px.size), np.flatnonzero(np.diff(inner.x_px) > 2 * plot.curve.stroke_px) + 1
    )
    edges = []
    for group in (group for group in groups if group.size >= 3):  # noqa: PLR2004
        x, y = inner.x_px[group], inner.y_px[group]
        lean = float(((x - x.mean()) * (y - y.mean())).sum())
        centre = float(x.mean())
        rising = _rises(plot, centre, lean, (top_px + bottom_px) / 2)
        edges.append(_Edge(time_s=plot.x.value(centre), rising=rising))
    return edges


def _rises(plot: MeasuredPlot, centre_px: float, lean: float, middle_px: float) -> bool:
    """Whether the curve is low before the edge; what stands beside it decides, its lean where nothing does."""
    columns = plot.curve.columns
    before = columns.y_px[columns.x_px < centre_px - 2 * plot.curve.stroke_px]
    return bool(before[-1] > middle_px) if before.size else lean < 0


def read_v5(plot: MeasuredPlot) -> Mapping[str, FieldValue]:
    """Read a square wave's levels and edges; fit sine and triangle to anything else and keep the nearer."""
    rows = plot.band.points.y_px
    top, bottom = (float(np.percentile(rows, percent)) for percent in (1, 99))
    low, high = (top + share * (bottom - top) for share in BETWEEN_LEVELS)
    if ((rows > low) & (rows < high)).mean() > BETWEEN_SHARE:
        return _smooth(plot, plot.band.points)
    return _square_v5(plot, (top + bottom) / 2.0, (low, high))


def _square_v5(plot: MeasuredPlot, middle_px: float, between_px: tuple[float, float]) -> dict[str, FieldValue]:
    points = plot.band.points
    level = points.where((points.y_px <= between_px[0]) | (points.y_px >= between_px[1]))
    upper = level.y_px < middle_px
    if upper.all() or not upper.any():
        raise CannotReadError("the curve has no two levels")
    high, low = (plot.y.value(float(level.y_px[part].mean())) for part in (upper, ~upper))
    changes = np.flatnonzero(np.diff(upper.astype(np.int8)))
    middles = (level.x_px[changes] + level.x_px[changes + 1]) / 2.0
    edges = [
        _Edge(time_s=plot.x.value(float(at)), rising=bool(not upper[change]))
        for at, change in zip(middles, changes, strict=True)
    ]
    return _square_fields(high, low, _timing(edges, plot.x.value(float(points.x_px[0]))))


def _timing(edges: list[_Edge], begin_s: float) -> _Timing | None:
    """Return the timing that edges in order tell; None where they are too few."""
    rises = np.array([edge.time_s for edge in edges if edge.rising])
    falls = np.array([edge.time_s for edge in edges if not edge.rising])
    periods = np.concatenate((np.diff(rises), np.diff(falls)))
    if periods.size and rises.size and falls.size:
        period = _common_period(rises, falls)
        high = (falls[None, :] - rises[:, None]) / period
        duty = float(np.mean(high - np.floor(high)))
        return _Timing(period_s=period, duty=duty, seen=True, what="distances of edges of one kind")
    if rises.size == 1 and falls.size == 1 and begin_s < falls[0] < rises[0]:
        period = float(rises[0] - begin_s)
        what = "the drawn time begins with a rising edge"
        return _Timing(period_s=period, duty=float(falls[0] - begin_s) / period, seen=False, what=what)
    return None


def _common_period(rises: FloatArray, falls: FloatArray) -> float:
    """Least squares over both kinds of edges, each with an offset of its own."""
    along, across = 0.0, 0.0
    for times in (rises, falls):
        count = np.arange(times.size) - (times.size - 1) / 2
        along += float((count * times).sum())
        across += float((count**2).sum())
    return along / across


def _square_fields(high_v: float, low_v: float, timing: _Timing | None) -> dict[str, FieldValue]:
    """Return a square wave's fields; without a timing the levels alone, and why there is no frequency."""
    levels = {
        "vpp_v": direct(high_v - low_v, "difference of the two levels"),
        "cp_vmax_v": direct(high_v, "upper level"),
        "cp_vmin_v": direct(low_v, "lower level"),
    }
    if timing is None:
        return {**levels, "frequency_hz": direct(None, "too few edges for a period")}
    make = direct if timing.seen else convention
    return {
        **levels,
        "frequency_hz": make(1.0 / timing.period_s, timing.what),
        "cp_period_s": make(timing.period_s, timing.what),
        "cp_duty": make(timing.duty, timing.what),
    }


def _smooth(plot: MeasuredPlot, points: CurvePoints) -> dict[str, FieldValue]:
    """Read a sine or a triangle, whichever is nearer to the points.

    Raises:
        CannotReadError: less than one period is drawn.
    """
    t = plot.x.value(points.x_px)
    start = _sine_start(t, plot.y.value(points.y_px))
    sine = fit_law(sine_v, [start], plot, points)
    amplitude, ln_frequency, turns, offset = start
    turned = [(amplitude, ln_frequency, turns + turn, offset) for turn in (0.0, 0.06, -0.06)]
    triangle = fit_law(triangle_v, turned, plot, points)
    best, shape = (sine, "sine") if sine.residual_px <= triangle.residual_px else (triangle, "triangle")
    amplitude, ln_frequency, _, offset = (float(one) for one in best.parameters)
    amplitude, frequency = abs(amplitude), float(np.exp(ln_frequency))
    if 1.0 / frequency > float(np.ptp(t)):
        raise CannotReadError("less than one period is drawn")
    return all_fitted(
        f"a {shape}",
        best.residual_px,
        frequency_hz=frequency,
        vpp_v=2.0 * amplitude,
        cp_period_s=1.0 / frequency,
        cp_vmax_v=offset + amplitude,
        cp_vmin_v=offset - amplitude,
    )


def _sine_start(t: FloatArray, v: FloatArray) -> tuple[float, float, float, float]:
    """Best amplitude, ln frequency, phase in turns and offset on a grid of frequencies, by least squares."""
    chosen = np.linspace(0, t.size - 1, min(t.size, TRIED_POINTS)).astype(int)
    t, v, span = t[chosen], v[chosen], float(np.ptp(t))
    tried: list[tuple[float, tuple[float, float, float, float]]] = []
    for cycles in np.geomspace(LEAST_CYCLES, MOST_CYCLES, TRIALS):
        angle = 2.0 * np.pi * cycles / span * t
        basis = np.stack((np.sin(angle), np.cos(angle), np.ones_like(t)), axis=1)
        weights = np.linalg.solve(basis.T @ basis + 1e-9 * np.eye(3), basis.T @ v)
        loss = float(((basis @ weights - v) ** 2).sum())
        amplitude = float(np.hypot(weights[0], weights[1]))
        phase = float(np.arctan2(weights[1], weights[0]) / (2.0 * np.pi))
        tried.append((loss, (amplitude, float(np.log(cycles / span)), phase, float(weights[2]))))
    return min(tried)[1]


def sine_v(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """A sin(2 pi (f t + p)) + offset; parameters A, ln f, p in turns, offset."""
    amplitude, frequency, phase, offset = parameters
    return np.asarray(offset + amplitude * np.sin(2.0 * np.pi * (np.exp(frequency) * t + phase)))


def triangle_v(parameters: FloatArray, t: FloatArray) -> FloatArray:
    """The triangle with the zero crossings and extremes of that sine."""
    amplitude, frequency, phase, offset = parameters
    turn = np.mod(np.exp(frequency) * t + phase + 0.25, 1.0)
    return np.asarray(offset + amplitude * (1.0 - 4.0 * np.abs(turn - 0.5)))


V4 = FamilyReader(name=NAME, fields=FIELDS, read=read_v4)
V5 = FamilyReader(name=NAME, fields=FIELDS, read=read_v5, axes=("s", "V"))
