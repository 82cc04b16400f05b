"""Output over input voltage of a circuit that saturates on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import VOLTAGE, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
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

    def attempt(self, draws: PlotDraws) -> TransferCharacteristicParams:
        """Draw units and axes, both knees, both levels, then whether the curve rises."""
        input_unit, output_unit = draws.pick(tuple(VOLTAGE)), draws.pick(tuple(VOLTAGE))
        width, height = draws.log_uniform(1.0, 500.0), draws.log_uniform(1.0, 500.0)
        left, bottom = width * draws.uniform(-1.2, 0.4), height * draws.uniform(-1.2, 0.4)
        first = draws.uniform(0.08, 0.4)
        last = draws.uniform(first + 0.2, 0.92)
        low, high = draws.uniform(0.06, 0.3), draws.uniform(0.65, 0.93)
        before, after = (low, high) if draws.sign() > 0.0 else (high, low)
        return TransferCharacteristicParams(
            **PlotParams.limits((left, left + width), (bottom, bottom + height)),
            input_unit=input_unit,
            output_unit=output_unit,
            left_input=left + first * width,
            right_input=left + last * width,
            left_output=bottom + before * height,
            right_output=bottom + after * height,
        )

    def labels(self, params: TransferCharacteristicParams) -> tuple[AxisLabel, AxisLabel]:
        """Return input and output voltage."""
        x, y = params.input_unit, params.output_unit
        return AxisLabel("Input voltage", x, VOLTAGE), AxisLabel("Output voltage", y, VOLTAGE)

    def curve_px(self, params: TransferCharacteristicParams, x_px: FloatArray) -> FloatArray:
        """Return the output voltage."""
        frame = self.frame(params)
        inputs = (params.left_input, params.right_input)
        outputs = (params.left_output, params.right_output)
        return frame.y.pixels(np.interp(frame.x.values(x_px), inputs, outputs))

    def readings(self, params: TransferCharacteristicParams) -> dict[str, readings.ExactReading]:
        """Return gain, upper level and the knee where it begins."""
        frame = self.frame(params)
        run, rise = params.right_input - params.left_input, params.right_output - params.left_output
        run_px, rise_px = run / frame.x.per_px, abs(rise) / frame.y.per_px
        upper_knee = params.right_input if rise > 0.0 else params.left_input
        upper = max(params.left_output, params.right_output)
        return {
            "small_signal_gain": readings.slope(
                rise * frame.y.base / (run * frame.x.base), rise_px=rise_px, run_px=run_px
            ),
            "saturation_v": readings.level(frame.y, upper),
            "cp_vin_at_saturation": readings.crossing(frame.x, upper_knee, slope_px=rise_px / run_px),
        }

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from differences and bisection on the limited line."""
        volts_in, volts_out = (
            in_base_unit(VOLTAGE, p.text("input_unit")),
            in_base_unit(VOLTAGE, p.text("output_unit")),
        )
        gain = (p["right_output"] - p["left_output"]) / (p["right_input"] - p["left_input"])
        low, high = sorted((p["left_output"], p["right_output"]))

        def output(given: float) -> float:
            return min(high, max(low, p["left_output"] + gain * (given - p["left_input"])))

        middle = 0.5 * (p["left_input"] + p["right_input"])
        small = 1e-3 * (p["right_input"] - p["left_input"])
        upper_end = p["x_max"] if gain > 0.0 else p["x_min"]
        knee = bisect(lambda given: high - output(given) - 1e-12 * (high - low), middle, upper_end)
        return {
            "small_signal_gain": (output(middle + small) - output(middle - small))
            / (2.0 * small)
            * volts_out
            / volts_in,
            "saturation_v": output(upper_end) * volts_out,
            "cp_vin_at_saturation": knee * volts_in,
        }


FAMILY = TransferCharacteristic()
