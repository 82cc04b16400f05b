"""Phase of a lag between two asymptotes over frequency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.calculus import slope_px
from generators.plotchain.v5.frame import AxisName, Frame, PlotParams
from generators.plotchain.v5.marks import Dot, horizontal, vertical
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.units import FREQUENCY, in_base_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.marks import Line, Mark

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
    has_curve_b = True
    fields = (
        asked("cutoff_hz", "Hz", "frequency where the phase is midway between the two dashed asymptotes"),
        asked("phase_deg_at_fq", "deg", "phase of the curve at the dotted line f_q"),
        asked("cp_phase_deg_at_fc", "deg", "phase midway between the asymptotes"),
    )
    about = "the phase of a lag over a logarithmic frequency axis"

    def attempt(self, draws: Draws) -> BodePhaseParams:
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
            x_min=10.0**first,
            x_max=10.0 ** (first + decades),
            y_min=top_deg - span_deg,
            y_max=top_deg,
            frequency_unit=unit,
            order=order,
            start_deg=start_deg,
            fc=10.0**corner,
            fq=10.0 ** (first + mark_at * decades),
        )

    def frame(self, params: BodePhaseParams) -> Frame:
        """Return logarithmic frequency and degrees."""
        return Frame.around(
            params,
            x=AxisName(quantity="Frequency", unit=params.frequency_unit),
            y=AxisName(quantity="Phase", unit="deg"),
            log_x=True,
        )

    def curve_px(self, params: BodePhaseParams, x_px: FloatArray) -> FloatArray:
        """Return the phase."""
        frame = self.frame(params)
        lag_deg = params.order * np.degrees(np.arctan(frame.x.values(x_px) / params.fc))
        return frame.y.pixels(params.start_deg - lag_deg)

    def readings(self, params: BodePhaseParams) -> Mapping[str, readings.Reading]:
        """Return the corner, the phase at the mark, and the phase half way."""
        frame = self.frame(params)
        base = in_base_unit(FREQUENCY, params.frequency_unit)
        mark_px = frame.x.px(params.fq)
        corner_slope, mark_slope = (
            slope_px(lambda x_px: self.curve_px(params, x_px), at_px) for at_px in (frame.x.px(params.fc), mark_px)
        )
        at_mark = float(frame.y.values(self.curve_px(params, np.array([mark_px])))[0])
        return {
            "cutoff_hz": readings.crossing(
                frame.x, params.fc, slope_px=corner_slope, levels=(0.5, 0.5), base=base
            ),
            "phase_deg_at_fq": readings.level(frame.y, at_mark, slope_px=mark_slope),
            "cp_phase_deg_at_fc": readings.difference(frame.y, _middle_deg(params), shares=(0.5, 0.5)),
        }

    def marks(self, params: BodePhaseParams) -> tuple[Line, ...]:
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
        return (Dot(x_px=frame.x.px(params.fc), y_px=frame.y.px(_middle_deg(params))),)


def _middle_deg(params: BodePhaseParams) -> float:
    return params.start_deg - 45.0 * params.order


FAMILY = BodePhase()
