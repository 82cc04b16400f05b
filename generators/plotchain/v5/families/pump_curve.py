"""Head over flow of a centrifugal pump."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import AxisLabel
from generators.plotchain.v5.plot import FallingPlot, asked, draw_falling

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.v5.plot import FallingParams

__all__ = ["FAMILY", "PumpCurve"]


class PumpCurve(FallingPlot):
    """H = H0 (1 - (Q/Qmax)^c); half the shut-off head at Qmax 0.5^(1/c)."""

    name = "pump_curve"
    title = "Pump curve"
    about = "the head of a pump over its flow"
    mark_letter = "$Q_{op}$"
    fields = (
        asked("head_at_qop_m", "m", "head of the curve at the dotted line Q_op"),
        asked("q_at_half_head_m3h", "m³/h", "flow at which the head is half the shut-off head"),
        asked("cp_shutoff_head_m", "m", "shut-off head: the head at zero flow"),
        asked("cp_qmax_m3h", "m³/h", "flow at which the head is zero"),
    )

    def attempt(self, draws: PlotDraws) -> FallingParams:
        """Draw the largest flow, the shut-off head, the exponent, then the place in the axes."""
        end, start = draws.log_uniform(2.0, 2000.0), draws.log_uniform(2.0, 300.0)
        exponent = draws.uniform(1.5, 3.0)
        return draw_falling(draws, unit="m", start=start, end=end, exponent=exponent)

    def labels(self, params: FallingParams) -> tuple[AxisLabel, AxisLabel]:
        """Return flow and head."""
        return AxisLabel("Flow Q", "m³/h"), AxisLabel("Head H", params.height_unit)

    def readings(self, params: FallingParams) -> dict[str, readings.ExactReading]:
        """Return the marked head, the flow at half head and both ends of the curve."""
        frame = self.frame(params)
        half_flow = params.end * 0.5 ** (1.0 / params.exponent)
        slopes = [self.steepness_px(params, flow) for flow in (params.marked, half_flow, params.end)]
        return {
            "head_at_qop_m": readings.level(frame.y, self.height(params, params.marked), slope_px=slopes[0]),
            "q_at_half_head_m3h": readings.crossing(frame.x, half_flow, slope_px=slopes[1], levels=(0.5,)),
            "cp_shutoff_head_m": readings.level(frame.y, params.start),
            "cp_qmax_m3h": readings.crossing(frame.x, params.end, slope_px=slopes[2]),
        }

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the curve."""
        head, end = self.stored_curve(p)
        return {
            "head_at_qop_m": head(p["marked"]),
            "q_at_half_head_m3h": bisect(lambda flow: head(flow) - 0.5 * head(0.0), 0.0, end),
            "cp_shutoff_head_m": head(0.0),
            "cp_qmax_m3h": end,
        }


FAMILY = PumpCurve()
