"""Output over input voltage of a circuit that saturates on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.frame import AxisName, Frame, PlotParams
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.units import VOLTAGE, in_base_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "TransferCharacteristic", "TransferCharacteristicParams"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferCharacteristicParams(PlotParams):
    """Inputs of both knees and outputs at and beyond them, left and right, in axis units."""

    input_unit: str
    output_unit: str
    left_input: float
    right_input: float
    left_output: float
    right_output: float


class TransferCharacteristic(CurvePlot[TransferCharacteristicParams]):
    """Constant, straight between the knees, constant."""

    name = "transfer_characteristic"
    params_type = TransferCharacteristicParams
    title = "Transfer characteristic"
    about = "the output voltage of a circuit that saturates, over its input voltage"
    noise = "band"
    has_curve_b = True
    fields = (
        asked("small_signal_gain", "unitless", "slope of the sloping part, V per V, with its sign"),
        asked("saturation_v", "V", "output at the upper saturated level"),
        asked("cp_vin_at_saturation", "V", "input at the knee where that upper level begins"),
    )

    def attempt(self, draws: Draws) -> TransferCharacteristicParams:
        """Draw units and axes, both knees, both levels, then whether the curve rises."""
        input_unit, output_unit = draws.pick(tuple(VOLTAGE)), draws.pick(tuple(VOLTAGE))
        width, height = draws.log_uniform(1.0, 500.0), draws.log_uniform(1.0, 500.0)
        left, bottom = width * draws.uniform(-1.2, 0.4), height * draws.uniform(-1.2, 0.4)
        first = draws.uniform(0.08, 0.4)
        last = draws.uniform(first + 0.2, 0.92)
        low, high = draws.uniform(0.06, 0.3), draws.uniform(0.65, 0.93)
        before, after = (low, high) if draws.sign() > 0.0 else (high, low)
        return TransferCharacteristicParams(
            x_min=left,
            x_max=left + width,
            y_min=bottom,
            y_max=bottom + height,
            input_unit=input_unit,
            output_unit=output_unit,
            left_input=left + first * width,
            right_input=left + last * width,
            left_output=bottom + before * height,
            right_output=bottom + after * height,
        )

    def frame(self, params: TransferCharacteristicParams) -> Frame:
        """Return input and output voltage."""
        return Frame.around(
            params,
            x=AxisName(quantity="Input voltage", unit=params.input_unit),
            y=AxisName(quantity="Output voltage", unit=params.output_unit),
        )

    def curve_px(self, params: TransferCharacteristicParams, x_px: FloatArray) -> FloatArray:
        """Return the output voltage."""
        frame = self.frame(params)
        inputs = (params.left_input, params.right_input)
        outputs = (params.left_output, params.right_output)
        return frame.y.pixels(np.interp(frame.x.values(x_px), inputs, outputs))

    def readings(self, params: TransferCharacteristicParams) -> Mapping[str, readings.Reading]:
        """Return gain, upper level and the knee where it begins."""
        frame = self.frame(params)
        volts_in, volts_out = (in_base_unit(VOLTAGE, unit) for unit in (params.input_unit, params.output_unit))
        run, rise = params.right_input - params.left_input, params.right_output - params.left_output
        run_px, rise_px = run / frame.x.per_px, abs(rise) / frame.y.per_px
        upper_knee = params.right_input if rise > 0.0 else params.left_input
        upper = max(params.left_output, params.right_output)
        return {
            "small_signal_gain": readings.slope(
                rise * volts_out / (run * volts_in), rise_px=rise_px, run_px=run_px
            ),
            "saturation_v": readings.level(frame.y, upper, base=volts_out),
            "cp_vin_at_saturation": readings.crossing(
                frame.x, upper_knee, slope_px=rise_px / run_px, base=volts_in
            ),
        }


FAMILY = TransferCharacteristic()
