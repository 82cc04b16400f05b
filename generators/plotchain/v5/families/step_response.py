"""Step response of a damped second-order system with a zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.calculus import half_width_px
from generators.plotchain.v5.frame import HEIGHT_PX, WIDTH_PX, AxisName, Frame, PlotParams
from generators.plotchain.v5.marks import horizontal
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.ringing import BAND, Ringing, with_overshoot
from generators.plotchain.v5.units import TIME, in_base_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.marks import Mark

__all__ = ["FAMILY", "StepResponse", "StepResponseParams"]

_TRIES = 40
_LOWEST_TROUGH = -0.05
_LEAST_MISS_PX = 6.0
_LEAST_SLOPE = 0.4
_LARGEST_RINGING_PX = 2.5
_LEAST_RISE_PX = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResponseParams(PlotParams):
    """Values before and long after the step at time 0, damping, sine share, natural frequency per time unit."""

    time_unit: str
    initial: float
    final: float
    damping: float
    sine_share: float
    natural_frequency: float


class StepResponse(CurvePlot[StepResponseParams]):
    """initial + (final - initial) y(natural frequency * t), y of `generators.plotchain.v5.ringing`."""

    name = "step_response"
    params_type = StepResponseParams
    title = "Step response"
    about = "the output of a system after a step of its input at t = 0; it has a constant value before"
    noise = "band"
    has_curve_b = True
    zeros_meet = (True, False)
    fields = (
        asked("percent_overshoot", "%", "(peak − final value) / (final value − initial value) in percent"),
        asked(
            "settling_time_s",
            "s",
            "time, counted from the step at t = 0, at which the curve enters the band of ±10 % of the step (final "
            "value − initial value) around the final value for the last time",
        ),
        asked("steady_state", "axis unit", "final value"),
        asked("cp_peak_time_s", "s", "time of the peak"),
        asked("cp_peak_value", "axis unit", "peak: the most extreme value beyond the final value"),
        asked("cp_band_lower", "axis unit", "lower edge of that band"),
        asked("cp_band_upper", "axis unit", "upper edge of that band"),
    )

    def attempt(self, draws: Draws) -> StepResponseParams | None:
        """Draw the overshoot, then try the rest with it for a while."""
        overshoot = 1.0 / draws.uniform(0.22, 0.96) - 1.0
        tries = (_with_overshoot(draws, overshoot) for _ in range(_TRIES))
        return next((params for params in tries if params is not None), None)

    def frame(self, params: StepResponseParams) -> Frame:
        """Return time and amplitude."""
        return Frame.around(
            params,
            x=AxisName(quantity="Time t", unit=params.time_unit),
            y=AxisName(quantity="Amplitude", unit="1"),
        )

    def curve_px(self, params: StepResponseParams, x_px: FloatArray) -> FloatArray:
        """Return the amplitude."""
        frame, ringing = self.frame(params), _ringing(params)
        time = np.maximum(frame.x.values(x_px) * params.natural_frequency, 0.0)
        turn = ringing.frequency * time
        deviation = -np.exp(-ringing.damping * time) * (np.cos(turn) + ringing.sine_share * np.sin(turn))
        return frame.y.pixels(params.final + (params.final - params.initial) * deviation)

    def readings(self, params: StepResponseParams) -> Mapping[str, readings.Reading]:
        """Return overshoot, settling, final value, peak and band."""
        frame, ringing = self.frame(params), _ringing(params)
        seconds = in_base_unit(TIME, params.time_unit)
        step = params.final - params.initial
        step_px = abs(step) / frame.y.per_px
        overshoot, peak_time = ringing.overshoot, ringing.extreme(0) / params.natural_frequency
        settling_time = ringing.settling() / params.natural_frequency
        slope_px = ringing.slope(ringing.settling()) * step_px * params.natural_frequency * frame.x.per_px
        width = half_width_px(
            lambda x_px: self.curve_px(params, x_px),
            frame.x.px(peak_time),
            left_px=frame.x.px(0.0),
            right_px=frame.x.px(ringing.extreme(1) / params.natural_frequency),
        )
        edges = [
            readings.difference(frame.y, params.final + side * BAND * step, shares=(1.0 + side * BAND, BAND))
            for side in sorted((-1.0, 1.0), key=lambda side: side * step)
        ]
        return {
            "percent_overshoot": readings.ratio(
                100.0 * overshoot, tuple(100.0 * share / step_px for share in (1.0, 1.0 + overshoot, overshoot))
            ),
            "settling_time_s": readings.crossing(frame.x, settling_time, slope_px=slope_px, base=seconds),
            "steady_state": readings.level(frame.y, params.final),
            "cp_peak_time_s": readings.extremum(frame.x, peak_time, half_width_px=width, base=seconds),
            "cp_peak_value": readings.level(frame.y, params.final + overshoot * step),
            "cp_band_lower": edges[0],
            "cp_band_upper": edges[1],
        }

    def helpers(self, params: StepResponseParams) -> tuple[Mark, ...]:
        """Return the final value and both edges of the band."""
        y = self.frame(params).y
        step = params.final - params.initial
        return tuple(horizontal(y.px(params.final + side * BAND * step)) for side in (-1.0, 0.0, 1.0))


def _ringing(params: StepResponseParams) -> Ringing:
    return Ringing(damping=params.damping, sine_share=params.sine_share)


def _with_overshoot(draws: Draws, overshoot: float) -> StepResponseParams | None:
    """Draw the rest; None where some field could not be read well."""
    unit = draws.pick(tuple(TIME))
    width = draws.log_uniform(2.0, 2000.0)
    lead = width * draws.uniform(0.04, 0.2)
    height = draws.log_uniform(0.5, 500.0)
    bottom = height * draws.uniform(-2.0, 2.0)
    direction = draws.sign()
    damping = draws.uniform(0.15, 0.8)
    settled_at = draws.uniform(0.25, 0.75)
    filled, split = draws.uniform(0.9, 0.95), draws.uniform(0.4, 0.6)
    ringing = with_overshoot(damping, overshoot)
    if ringing is None:
        return None
    trough = 1.0 - overshoot * ringing.decay
    lowest = min(0.0, trough)
    step_px = filled * HEIGHT_PX / (1.0 + overshoot - lowest)
    after_px = WIDTH_PX * (1.0 - lead / width)
    if trough < _LOWEST_TROUGH or not _is_readable(ringing, step_px, after_px=after_px, settled_at=settled_at):
        return None
    start = -lowest if direction > 0.0 else 1.0 + overshoot
    initial = bottom + height * (split * (1.0 - filled) + start * step_px / HEIGHT_PX)
    return StepResponseParams(
        x_min=-lead,
        x_max=width - lead,
        y_min=bottom,
        y_max=bottom + height,
        time_unit=unit,
        initial=initial,
        final=initial + direction * height * step_px / HEIGHT_PX,
        damping=damping,
        sine_share=ringing.sine_share,
        natural_frequency=ringing.settling() / (settled_at * (width - lead)),
    )


def _is_readable(ringing: Ringing, step_px: float, *, after_px: float, settled_at: float) -> bool:
    """Whether settling is clear of the extremes beside it and steep, the end calm, the peak not too early."""
    rank, settling = ringing.last_outside(), ringing.settling()
    before = 1.0 if rank < 0 else ringing.overshoot * ringing.decay**rank
    after = ringing.overshoot * ringing.decay ** (rank + 1)
    scale = settling / (settled_at * after_px)
    return (
        (before - BAND) * step_px >= _LEAST_MISS_PX
        and (BAND - after) * step_px >= _LEAST_MISS_PX
        and abs(ringing.slope(settling)) * step_px * scale >= _LEAST_SLOPE
        and ringing.envelope(settling / settled_at) * step_px <= _LARGEST_RINGING_PX
        and ringing.extreme(0) / scale >= _LEAST_RISE_PX
    )


FAMILY = StepResponse()
