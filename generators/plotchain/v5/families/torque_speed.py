"""Torque over speed of a motor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import TORQUE, AxisLabel, in_base_unit
from generators.plotchain.v5.plot import FallingPlot, asked, draw_falling

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.v5.plot import FallingParams

__all__ = ["FAMILY", "TorqueSpeed"]


class TorqueSpeed(FallingPlot):
    """T = Ts (1 - (n/n0)^c); c = 1 is the straight line of a direct-current motor."""

    name = "torque_speed"
    title = "Motor torque over speed"
    about = "the torque of a motor over its speed"
    mark_letter = "$n_q$"
    fields = (
        asked("stall_torque_nm", "N·m", "torque of the curve at zero speed"),
        asked("no_load_speed_rpm", "rpm", "speed at which the torque is zero"),
        asked("cp_torque_at_speed_q_nm", "N·m", "torque of the curve at the dotted line n_q"),
    )

    def attempt(self, draws: PlotDraws) -> FallingParams:
        """Draw unit, no-load speed, stall torque, exponent, then the place in the axes."""
        unit = draws.pick(tuple(TORQUE))
        end, start = draws.log_uniform(50.0, 20_000.0), draws.log_uniform(2.0, 500.0)
        exponent = draws.uniform(0.9, 1.8)
        return draw_falling(draws, unit=unit, start=start, end=end, exponent=exponent)

    def labels(self, params: FallingParams) -> tuple[AxisLabel, AxisLabel]:
        """Return speed and torque."""
        return AxisLabel("Speed n", "rpm"), AxisLabel("Torque T", params.height_unit, TORQUE)

    def readings(self, params: FallingParams) -> dict[str, readings.ExactReading]:
        """Return both ends of the curve and the marked torque."""
        frame = self.frame(params)
        end_slope, mark_slope = (self.steepness_px(params, speed) for speed in (params.end, params.marked))
        return {
            "stall_torque_nm": readings.level(frame.y, params.start),
            "no_load_speed_rpm": readings.crossing(frame.x, params.end, slope_px=end_slope),
            "cp_torque_at_speed_q_nm": readings.level(
                frame.y, self.height(params, params.marked), slope_px=mark_slope
            ),
        }

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the curve."""
        newton_metres = in_base_unit(TORQUE, p.text("height_unit"))
        torque, end = self.stored_curve(p)
        return {
            "stall_torque_nm": torque(0.0) * newton_metres,
            "no_load_speed_rpm": end,
            "cp_torque_at_speed_q_nm": torque(p["marked"]) * newton_metres,
        }


FAMILY = TorqueSpeed()
