"""Step response of a damped second-order system with a zero."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import HEIGHT_PX, TIME, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import horizontal
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.readings import half_width_px

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import Mark

__all__ = ["BAND", "FAMILY", "Ringing", "StepResponse", "StepResponseParams", "with_overshoot"]

BAND = 0.1
_HALVINGS = 60
"""Of the searches that made edition v5's parameters: with more, last digits would differ."""
_TRIES = 40
_LOWEST_TROUGH = -0.05
_LEAST_MISS_PX = 6.0
_LEAST_SLOPE = 0.4
_LARGEST_RINGING_PX = 2.5
_LEAST_RISE_PX = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ringing:
    """Step response of a damped second-order system with one zero, in natural time (radians), from 0 to 1.

    y(t) = 1 - exp(-z t) (cos w t + b sin w t), w = sqrt(1 - z^2), with damping ratio z in (0, 1) and sine share b
    at most z / w, which is the system without a zero; the smaller b, the farther the response overshoots.
    Extremes lie pi / w apart and shrink by exp(-z pi / w) each.

    Raises:
        ValueError: damping or sine share outside these.
    """

    damping: float
    sine_share: float

    def __post_init__(self) -> None:
        if not 0.0 < self.damping < 1.0 or not self.sine_share <= self.damping / self.frequency + 1e-9:
            raise ValueError(f"expected a damped response that rises at once, got {self!r}")

    @property
    def frequency(self) -> float:
        """The ringing's frequency w."""
        return math.sqrt(1.0 - self.damping**2)

    @property
    def overshoot(self) -> float:
        """How far the first extreme lies above 1."""
        return self.deviation(self.extreme(0))

    @property
    def decay(self) -> float:
        """Size of each extreme as a share of the one before."""
        return math.exp(-self.damping * math.pi / self.frequency)

    def deviation(self, time: float) -> float:
        """Return y - 1."""
        turn = self.frequency * time
        return -math.exp(-self.damping * time) * (math.cos(turn) + self.sine_share * math.sin(turn))

    def slope(self, time: float) -> float:
        """Return dy/dt."""
        z, w, b = self.damping, self.frequency, self.sine_share
        return math.exp(-z * time) * ((z - w * b) * math.cos(w * time) + (z * b + w) * math.sin(w * time))

    def envelope(self, time: float) -> float:
        """Return the bound on what the deviation can still become."""
        return math.exp(-self.damping * time) * math.hypot(1.0, self.sine_share)

    def extreme(self, rank: int) -> float:
        """Return the time of an extreme: the first overshoot has rank 0, the trough after it rank 1."""
        z, w, b = self.damping, self.frequency, self.sine_share
        return (math.atan2(z * b + w, max(0.0, z - w * b)) + math.pi * (rank + 0.5)) / w

    def last_outside(self) -> int:
        """Return the rank of the last extreme outside 1 +- BAND; -1, the start, where none is."""
        rank = -1
        size = self.overshoot
        while size > BAND:
            rank += 1
            size *= self.decay
        return rank

    def settling(self) -> float:
        """Return when the response enters 1 +- BAND for good."""
        rank = self.last_outside()
        outside, inside = (self.extreme(rank) if rank >= 0 else 0.0), self.extreme(rank + 1)
        return bisect(lambda time: abs(self.deviation(time)) - BAND, outside, inside, halvings=_HALVINGS)


def with_overshoot(damping: float, overshoot: float) -> Ringing | None:
    """Return the response of that damping and overshoot; None where it overshoots more without any zero."""
    highest = damping / math.sqrt(1.0 - damping**2)
    if Ringing(damping=damping, sine_share=highest).overshoot > overshoot:
        return None
    reach = 1.0
    while Ringing(damping=damping, sine_share=highest - reach).overshoot < overshoot:
        reach *= 2.0
    share = bisect(
        lambda share: Ringing(damping=damping, sine_share=share).overshoot - overshoot,
        highest - reach,
        highest,
        halvings=_HALVINGS,
    )
    return Ringing(damping=damping, sine_share=share)


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
    """initial + (final - initial) y(natural frequency * t), y of `Ringing`."""

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

    def attempt(self, draws: PlotDraws) -> StepResponseParams | None:
        """Draw the overshoot, then try the rest with it for a while."""
        overshoot = 1.0 / draws.uniform(0.22, 0.96) - 1.0
        tries = (_params_with(draws, overshoot) for _ in range(_TRIES))
        return next((params for params in tries if params is not None), None)

    def labels(self, params: StepResponseParams) -> tuple[AxisLabel, AxisLabel]:
        """Return time and amplitude."""
        return AxisLabel("Time t", params.time_unit, TIME), AxisLabel("Amplitude", "1")

    def curve_px(self, params: StepResponseParams, x_px: FloatArray) -> FloatArray:
        """Return the amplitude."""
        frame, ringing = self.frame(params), _ringing(params)
        time = np.maximum(frame.x.values(x_px) * params.natural_frequency, 0.0)
        turn = ringing.frequency * time
        deviation = -np.exp(-ringing.damping * time) * (np.cos(turn) + ringing.sine_share * np.sin(turn))
        return frame.y.pixels(params.final + (params.final - params.initial) * deviation)

    def readings(self, params: StepResponseParams) -> dict[str, readings.ExactReading]:
        """Return overshoot, settling, final value, peak and band."""
        frame, ringing = self.frame(params), _ringing(params)
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
            "settling_time_s": readings.crossing(frame.x, settling_time, slope_px=slope_px),
            "steady_state": readings.level(frame.y, params.final),
            "cp_peak_time_s": readings.extremum(frame.x, peak_time, half_width_px=width),
            "cp_peak_value": readings.level(frame.y, params.final + overshoot * step),
            "cp_band_lower": edges[0],
            "cp_band_upper": edges[1],
        }

    def helpers(self, params: StepResponseParams) -> tuple[Mark, ...]:
        """Return the final value and both edges of the band."""
        y = self.frame(params).y
        step = params.final - params.initial
        return tuple(horizontal(y.px(params.final + side * BAND * step)) for side in (-1.0, 0.0, 1.0))

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from partial fractions: a pair of complex exponentials around the final value."""
        seconds = in_base_unit(TIME, p.text("time_unit"))
        pole = complex(-p["damping"], math.sqrt(1.0 - p["damping"] ** 2)) * p["natural_frequency"]
        residue = -0.5 * complex(1.0, -p["sine_share"])
        times = np.linspace(0.0, p["x_max"], 20_001)
        deviations = 2.0 * (residue * np.exp(pole * times)).real

        def deviation(time: float) -> float:
            return 2.0 * (residue * cmath.exp(pole * time)).real

        def rate(time: float) -> float:
            return (residue * pole * cmath.exp(pole * time)).real

        highest = int(deviations.argmax())
        peak_time = bisect(rate, float(times[highest - 1]), float(times[highest + 1]))
        last = int(np.flatnonzero(np.abs(deviations) > BAND)[-1])
        settled = bisect(lambda t: abs(deviation(t)) - BAND, float(times[last]), float(times[last + 1]))
        step = p["final"] - p["initial"]
        edges = sorted((p["final"] - BAND * step, p["final"] + BAND * step))
        return {
            "percent_overshoot": 100.0 * deviation(peak_time),
            "settling_time_s": settled * seconds,
            "steady_state": p["final"],
            "cp_peak_time_s": peak_time * seconds,
            "cp_peak_value": p["final"] + step * deviation(peak_time),
            "cp_band_lower": edges[0],
            "cp_band_upper": edges[1],
        }


def _ringing(params: StepResponseParams) -> Ringing:
    return Ringing(damping=params.damping, sine_share=params.sine_share)


def _params_with(draws: PlotDraws, overshoot: float) -> StepResponseParams | None:
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
        **PlotParams.limits((-lead, width - lead), (bottom, bottom + height)),
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
