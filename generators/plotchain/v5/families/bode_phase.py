"""Phase of a lag between two asymptotes over frequency."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import FREQUENCY, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import MarkDot, horizontal, vertical
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import Mark, MarkLine

__all__ = ["FAMILY", "BodePhase", "BodePhaseParams"]

_LEAST_DISTANCE = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class BodePhaseParams(PlotParams):
    """Corner and marked frequency in the axis unit, phase towards zero frequency in deg, order (lag / 90 deg)."""

    frequency_unit: str
    order: float
    start_deg: float
    fc: float
    fq: float


class BodePhase(CurvePlot[BodePhaseParams]):
    """Phase = start - order * atan(f/fc): half way between its asymptotes at fc."""

    name = "bode_phase"
    params_type = BodePhaseParams
    title = "Bode phase"
    log_x = True
    has_curve_b = True
    fields = (
        asked("cutoff_hz", "Hz", "frequency where the phase is midway between the two dashed asymptotes"),
        asked("phase_deg_at_fq", "deg", "phase of the curve at the dotted line f_q"),
        asked("cp_phase_deg_at_fc", "deg", "phase midway between the asymptotes"),
    )
    about = "the phase of a lag over a logarithmic frequency axis"

    def attempt(self, draws: PlotDraws) -> BodePhaseParams:
        """Draw unit, lag, start, heights, decades, place and value of the corner, then the mark."""
        unit = draws.pick(tuple(FREQUENCY))
        order, start_deg = draws.uniform(0.7, 3.0), draws.uniform(-120.0, 180.0)
        filled, above = draws.uniform(0.5, 0.85), draws.uniform(0.05, 0.95)
        decades, corner_at = draws.uniform(3.0, 4.5), draws.uniform(0.28, 0.72)
        corner = draws.uniform(0.3, 3.3)
        mark_at = draws.uniform(0.06, 0.94)
        while abs(mark_at - corner_at) < _LEAST_DISTANCE:
            mark_at = draws.uniform(0.06, 0.94)
        span_deg = 90.0 * order / filled
        top_deg = start_deg + (1.0 - above) * (1.0 - filled) * span_deg
        first = corner - corner_at * decades
        return BodePhaseParams(
            **PlotParams.limits((10.0**first, 10.0 ** (first + decades)), (top_deg - span_deg, top_deg)),
            frequency_unit=unit,
            order=order,
            start_deg=start_deg,
            fc=10.0**corner,
            fq=10.0 ** (first + mark_at * decades),
        )

    def labels(self, params: BodePhaseParams) -> tuple[AxisLabel, AxisLabel]:
        """Return logarithmic frequency and degrees."""
        return AxisLabel("Frequency", params.frequency_unit, FREQUENCY), AxisLabel("Phase", "deg")

    def curve_px(self, params: BodePhaseParams, x_px: FloatArray) -> FloatArray:
        """Return the phase."""
        frame = self.frame(params)
        lag_deg = params.order * np.degrees(np.arctan(frame.x.values(x_px) / params.fc))
        return frame.y.pixels(params.start_deg - lag_deg)

    def readings(self, params: BodePhaseParams) -> dict[str, readings.ExactReading]:
        """Return the corner, the phase at the mark, and the phase half way."""
        frame = self.frame(params)
        mark_px = frame.x.px(params.fq)
        corner_slope, mark_slope = (self.steepness_px(params, frequency) for frequency in (params.fc, params.fq))
        at_mark = float(frame.y.values(self.curve_px(params, np.array([mark_px])))[0])
        return {
            "cutoff_hz": readings.crossing(frame.x, params.fc, slope_px=corner_slope, levels=(0.5, 0.5)),
            "phase_deg_at_fq": readings.level(frame.y, at_mark, slope_px=mark_slope),
            "cp_phase_deg_at_fc": readings.difference(frame.y, _middle_deg(params), shares=(0.5, 0.5)),
        }

    def marks(self, params: BodePhaseParams) -> tuple[MarkLine, ...]:
        """Return both asymptotes and the frequency at which the phase is asked for."""
        frame = self.frame(params)
        end_deg = params.start_deg - 90.0 * params.order
        return (
            horizontal(frame.y.px(params.start_deg), "dashed"),
            horizontal(frame.y.px(end_deg), "dashed"),
            vertical(frame.x.px(params.fq), letter="$f_q$"),
        )

    def helpers(self, params: BodePhaseParams) -> tuple[Mark, ...]:
        """Return a dot at the corner."""
        frame = self.frame(params)
        return (MarkDot(x_px=frame.x.px(params.fc), y_px=frame.y.px(_middle_deg(params))),)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the complex response."""

        def phase_deg(frequency: float) -> float:
            return p["start_deg"] - p["order"] * math.degrees(cmath.phase(complex(1.0, frequency / p["fc"])))

        middle = 0.5 * (phase_deg(0.0) + phase_deg(math.inf))
        corner = bisect(lambda f: phase_deg(f) - middle, p["x_min"], p["x_max"])
        return {
            "cutoff_hz": corner * in_base_unit(FREQUENCY, p.text("frequency_unit")),
            "phase_deg_at_fq": phase_deg(p["fq"]),
            "cp_phase_deg_at_fc": phase_deg(corner),
        }


def _middle_deg(params: BodePhaseParams) -> float:
    return params.start_deg - 45.0 * params.order


FAMILY = BodePhase()
