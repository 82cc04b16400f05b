"""Torque over speed of a motor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.plotchain.v5 import readings
from generators.plotchain.v5.falling import FallingCurve, draw_falling
from generators.plotchain.v5.frame import AxisName, Frame
from generators.plotchain.v5.plot import asked
from generators.plotchain.v5.units import TORQUE, in_base_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.draws import Draws
    from generators.plotchain.v5.falling import FallingParams

__all__ = ["FAMILY", "TorqueSpeed"]


class TorqueSpeed(FallingCurve):
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

    def attempt(self, draws: Draws) -> FallingParams:
        """Draw unit, no-load speed, stall torque, exponent, then the place in the axes."""
        unit = draws.pick(tuple(TORQUE))
        end, start = draws.log_uniform(50.0, 20_000.0), draws.log_uniform(2.0, 500.0)
        exponent = draws.uniform(0.9, 1.8)
        return draw_falling(draws, unit=unit, start=start, end=end, exponent=exponent)

    def frame(self, params: FallingParams) -> Frame:
        """Return speed and torque."""
        return Frame.around(
            params,
            x=AxisName(quantity="Speed n", unit="rpm"),
            y=AxisName(quantity="Torque T", unit=params.height_unit),
        )

    def readings(self, params: FallingParams) -> Mapping[str, readings.Reading]:
        """Return both ends of the curve and the marked torque."""
        frame = self.frame(params)
        base = in_base_unit(TORQUE, params.height_unit)
        end_slope, mark_slope = (self.steepness_px(params, speed) for speed in (params.end, params.marked))
        return {
            "stall_torque_nm": readings.level(frame.y, params.start, base=base),
            "no_load_speed_rpm": readings.crossing(frame.x, params.end, slope_px=end_slope),
            "cp_torque_at_speed_q_nm": readings.level(
                frame.y, self.height(params, params.marked), base=base, slope_px=mark_slope
            ),
        }


FAMILY = TorqueSpeed()
