"""Step response of a damped second-order system."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "StepResponse", "StepResponseParams"]

_DAMPING = (0.2, 0.3, 0.4, 0.5, 0.7)
_FREQUENCY_RAD_S = (4.0, 6.0, 8.0, 10.0, 12.0)
_POINTS: Final[dict[Difficulty, int]] = {"clean": 700, "moderate": 550, "edge": 450}
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.0, "moderate": 0.003, "edge": 0.006}
_NOISE_STREAM = 17
_SETTLING_BAND = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResponseParams:
    """Damping ratio `zeta` in (0, 1), natural frequency in rad/s, window length in s, samples."""

    zeta: float
    wn_rad_s: float
    t_end_s: float
    n_points: int


class StepResponse(PlotFamily[StepResponseParams]):
    """y(t) = 1 - exp(-zeta wn t) sin(wd t + acos zeta) / sqrt(1 - zeta^2), wd = wn sqrt(1 - zeta^2).

    Formula: any control text, such as Ogata, Modern Control Engineering, section 5-3. The truth comes from
    the sampled noise-free curve and refers to its last sample, not to the limit 1.
    """

    name = "step_response"
    params_type = StepResponseParams
    fields = (
        FieldSpec(name="percent_overshoot", unit="%", decimals=1),
        FieldSpec(name="settling_time_s", unit="s", decimals=2),
        FieldSpec(name="steady_state", unit="unitless", decimals=2),
        FieldSpec(name="cp_peak_time_s", unit="s", decimals=2),
        FieldSpec(name="cp_peak_value", unit="unitless", decimals=2),
        FieldSpec(name="cp_band_lower", unit="unitless", decimals=2),
        FieldSpec(name="cp_band_upper", unit="unitless", decimals=2),
    )

    question_text = (
        "From the step response plot, estimate:\n1) percent_overshoot (%)\n"
        "2) settling_time_s (2% criterion, seconds)\n3) steady_state (final value)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> StepResponseParams:
        """Draw damping, then natural frequency."""
        zeta = draws.pick(_DAMPING)
        wn = draws.pick(_FREQUENCY_RAD_S)
        return StepResponseParams(
            zeta=zeta, wn_rad_s=wn, t_end_s=6.0 / (zeta * wn), n_points=_POINTS[draws.difficulty]
        )

    def truth(self, params: StepResponseParams) -> dict[str, float]:
        """Read overshoot, settling, peak and band off the sampled noise-free curve."""
        t, y = _response(params)
        last = float(y[-1])
        peak = int(y.argmax())
        return {
            "percent_overshoot": max(0.0, (float(y[peak]) - last) / last * 100.0),
            "settling_time_s": _settling_time_s(t, y),
            "steady_state": last,
            "cp_peak_time_s": float(t[peak]),
            "cp_peak_value": float(y[peak]),
            "cp_band_lower": (1.0 - _SETTLING_BAND) * last,
            "cp_band_upper": (1.0 + _SETTLING_BAND) * last,
        }

    def extent(self, case: PlotCase[StepResponseParams]) -> Extent:
        """Return time window and range of the noisy curve."""
        _, y = _noisy_response(case)
        return Extent.with_nice_steps(x=(0.0, case.params.t_end_s), y=span(y), intervals=(5, 5))

    def draw(self, axes: Axes, case: PlotCase[StepResponseParams]) -> None:
        """Draw the noisy curve, gridded unless edge; no 2 % band is shown."""
        t, y = _noisy_response(case)
        marks.curve(axes, t, y, width_pt=1.4)
        marks.name_axes(axes, title="Step Response (2nd-order)", x="Time (s)", y="Amplitude")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from partial fractions of wn^2 / (s (s - pole) (s - conjugate)), sampled as there."""
        pole = p["wn_rad_s"] * complex(-p["zeta"], math.sqrt(1.0 - p["zeta"] ** 2))
        residue = p["wn_rad_s"] ** 2 / (pole * (pole - pole.conjugate()))
        count = int(p["n_points"])
        times = [p["t_end_s"] * index / (count - 1) for index in range(count)]
        values = [1.0 + 2.0 * (residue * cmath.exp(pole * time)).real for time in times]
        last, top = values[-1], max(values)
        settled = count - 1
        while abs(values[settled - 1] - last) <= 0.02 * abs(last):
            settled -= 1
        return {
            "percent_overshoot": 100.0 * (top / last - 1.0),
            "settling_time_s": times[settled],
            "steady_state": last,
            "cp_peak_time_s": times[values.index(top)],
            "cp_peak_value": top,
            "cp_band_lower": last - 0.02 * last,
            "cp_band_upper": last + 0.02 * last,
        }


def _response(params: StepResponseParams) -> tuple[FloatArray, FloatArray]:
    """Sample the noise-free response: time in s and amplitude, `n_points` each, both ends included."""
    t = np.linspace(0.0, params.t_end_s, params.n_points)
    root = math.sqrt(1.0 - params.zeta**2)
    decay = np.exp(-params.zeta * params.wn_rad_s * t)
    phase = math.atan2(root, params.zeta)
    return t, 1.0 - (1.0 / root) * decay * np.sin(params.wn_rad_s * root * t + phase)


def _noisy_response(case: PlotCase[StepResponseParams]) -> tuple[FloatArray, FloatArray]:
    t, y = _response(case.params)
    sigma = _NOISE[case.difficulty]
    if sigma > 0.0:
        y = y + np.random.default_rng(case.seed + _NOISE_STREAM).normal(0.0, sigma, size=y.size)
    return t, y


def _settling_time_s(t: FloatArray, y: FloatArray) -> float:
    """Time of the first sample after which all samples stay within 2 % of the last one."""
    outside = np.flatnonzero(np.abs(y - y[-1]) > _SETTLING_BAND * abs(y[-1]))
    return float(t[outside[-1] + 1])


FAMILY = StepResponse()
