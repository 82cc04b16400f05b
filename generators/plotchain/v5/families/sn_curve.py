"""Fatigue strength over cycles (Woehler curve)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import AxisLabel, PlotParams
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "SnCurve", "SnCurveParams"]

_FIRST_CYCLES, _FIRST_LOG = 1e3, 3.0
_ASKED_CYCLES, _ASKED_LOG = 1e5, 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SnCurveParams(PlotParams):
    """Cycles at the knee; stress at 1e3 cycles and from the knee on, in MPa."""

    knee_cycles: float
    stress_at_1e3_mpa: float
    endurance_limit_mpa: float


class SnCurve(CurvePlot[SnCurveParams]):
    """Basquin's power law from left to the knee, constant from there; linear stress axis."""

    name = "sn_curve"
    params_type = SnCurveParams
    title = "S–N curve"
    log_x = True
    about = "the stress amplitude that a material stands over the number of cycles to failure"
    has_curve_b = True
    fields = (
        asked("stress_at_1e5_mpa", "MPa", "stress of the curve at 10⁵ cycles"),
        asked("endurance_limit_mpa", "MPa", "stress of the flat part at the right"),
        asked("cp_stress_at_1e3_mpa", "MPa", "stress of the curve at 10³ cycles"),
    )

    def attempt(self, draws: PlotDraws) -> SnCurveParams:
        """Draw cycle limits and knee, stress axis, then both levels."""
        first, last = draws.uniform(1.6, 2.8), draws.uniform(7.2, 9.0)
        knee = draws.uniform(5.4, 6.8)
        height = draws.log_uniform(20.0, 1500.0)
        bottom = height * draws.uniform(0.05, 1.2)
        high, low = draws.uniform(0.6, 0.9), draws.uniform(0.08, 0.4)
        return SnCurveParams(
            **PlotParams.limits((10.0**first, 10.0**last), (bottom, bottom + height)),
            knee_cycles=10.0**knee,
            stress_at_1e3_mpa=bottom + high * height,
            endurance_limit_mpa=bottom + low * height,
        )

    def labels(self, params: SnCurveParams) -> tuple[AxisLabel, AxisLabel]:  # noqa: ARG002 - always the same units
        """Return logarithmic cycles and stress."""
        return AxisLabel("Cycles to failure N", "1"), AxisLabel("Stress amplitude", "MPa")

    def curve_px(self, params: SnCurveParams, x_px: FloatArray) -> FloatArray:
        """Return the stress."""
        frame = self.frame(params)
        before_knee = np.minimum(np.log10(frame.x.values(x_px)) - math.log10(params.knee_cycles), 0.0)
        stress_mpa = params.endurance_limit_mpa * np.power(10.0, before_knee * -_exponent(params))
        return frame.y.pixels(stress_mpa)

    def readings(self, params: SnCurveParams) -> dict[str, readings.ExactReading]:
        """Return the stress at both numbers of cycles and on the flat part."""
        frame = self.frame(params)
        asked_slope, first_slope = (self.steepness_px(params, cycles) for cycles in (_ASKED_CYCLES, _FIRST_CYCLES))
        before_knee = _ASKED_LOG - math.log10(params.knee_cycles)
        asked_mpa = params.endurance_limit_mpa * 10.0 ** (before_knee * -_exponent(params))
        return {
            "stress_at_1e5_mpa": readings.level(frame.y, asked_mpa, slope_px=asked_slope),
            "endurance_limit_mpa": readings.level(frame.y, params.endurance_limit_mpa),
            "cp_stress_at_1e3_mpa": readings.level(frame.y, params.stress_at_1e3_mpa, slope_px=first_slope),
        }

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by interpolation between the logarithms."""
        knee = math.log10(p["knee_cycles"])
        logs = [math.log10(p["stress_at_1e3_mpa"]), math.log10(p["endurance_limit_mpa"])]
        return {
            "stress_at_1e5_mpa": float(10.0 ** np.interp(5.0, [3.0, knee], logs)),
            "endurance_limit_mpa": float(10.0 ** np.interp(7.0, [3.0, knee], logs)),
            "cp_stress_at_1e3_mpa": float(10.0 ** np.interp(3.0, [3.0, knee], logs)),
        }


def _exponent(params: SnCurveParams) -> float:
    """Return decades of stress lost per decade of cycles."""
    lost = math.log10(params.stress_at_1e3_mpa / params.endurance_limit_mpa)
    return lost / (math.log10(params.knee_cycles) - _FIRST_LOG)


FAMILY = SnCurve()
