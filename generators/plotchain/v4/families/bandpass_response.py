"""Magnitude of a second-order bandpass over frequency."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import bisect, np, round_half_even, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "BandpassResponse", "BandpassResponseParams"]

_QUALITY = (1.5, 2.0, 3.0, 5.0, 8.0, 10.0)
_RESONANCE_HZ = (12.0, 1500.0)
_HALF_POWER_DROP_DB = 3.0
# About 14,900 resonances exist; a family larger than that must end too, with repeats.
_MOST_REDRAWS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BandpassResponseParams:
    """Resonance and range ends in Hz, quality factor `Q`, number of log-spaced points."""

    f0_hz: float
    Q: float
    fmin_hz: float
    fmax_hz: float
    n_points: int = 700


class BandpassResponse(PlotFamily[BandpassResponseParams]):
    """|H| = (r / Q) / sqrt((1 - r^2)^2 + (r / Q)^2) with r = f / f0, in dB.

    Half-power frequencies: f0 (sqrt(1 + 1 / (4 Q^2)) -+ 1 / (2 Q)); their distance is f0 / Q.
    """

    name = "bandpass_response"
    params_type = BandpassResponseParams
    redraws = True
    edge_tag = "no_grid_no_helpers"
    fields = (
        FieldSpec(name="resonance_hz", unit="Hz", decimals=1),
        FieldSpec(name="cp_f1_3db_hz", unit="Hz", decimals=1, hinted=False),
        FieldSpec(name="cp_f2_3db_hz", unit="Hz", decimals=1, hinted=False),
        FieldSpec(name="bandwidth_hz", unit="Hz", decimals=1),
        FieldSpec(name="cp_q_factor", unit="unitless", decimals=2),
    )
    question_text = (
        "From the bandpass magnitude plot, estimate:\n1) resonance_hz (Hz)\n"
        "2) bandwidth_hz (Hz) using −3 dB points\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> BandpassResponseParams:
        """Draw Q, then a resonance that no lower index of the family has."""
        quality = draws.pick(_QUALITY)
        f0 = _unused_resonance_hz(draws)
        return BandpassResponseParams(f0_hz=f0, Q=quality, fmin_hz=max(1.0, f0 / 20.0), fmax_hz=f0 * 20.0)

    def truth(self, params: BandpassResponseParams) -> dict[str, float]:
        """Return resonance, half-power frequencies, their distance and Q."""
        lower, upper = _half_power_hz(params)
        return {
            "resonance_hz": params.f0_hz,
            "cp_f1_3db_hz": lower,
            "cp_f2_3db_hz": upper,
            "bandwidth_hz": params.f0_hz / params.Q,
            "cp_q_factor": params.Q,
        }

    def extent(self, case: PlotCase[BandpassResponseParams]) -> Extent:
        """Return the frequency range and the range of the curve."""
        return Extent.of(x=(case.params.fmin_hz, case.params.fmax_hz), y=span(_magnitude_db(case.params)[1]))

    def draw(self, axes: Axes, case: PlotCase[BandpassResponseParams]) -> None:
        """Draw the curve; half-power helpers, resonance text and grid unless edge."""
        f, magnitude_db = _magnitude_db(case.params)
        marks.curve(axes, f, magnitude_db, width_pt=1.4, log_x=True)
        marks.name_axes(axes, title="Bandpass Magnitude (2nd-order)", x="Frequency (Hz)", y="Magnitude (dB)")
        if case.difficulty != "edge":
            marks.grid(axes, which="both")
            _draw_helpers(axes, self.rounded_truth(case.params), peak_db=float(magnitude_db.max()))

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the complex transfer function by bisection."""

        def response(frequency: float) -> complex:
            s = 1j * frequency / p["f0_hz"]
            return (s / p["Q"]) / (s * s + s / p["Q"] + 1.0)

        low, high = p["f0_hz"] / 100.0, p["f0_hz"] * 100.0
        resonance = bisect(lambda f: response(f).imag, low, high)
        lower = bisect(lambda f: abs(response(f)) ** 2 - 0.5, low, resonance)
        upper = bisect(lambda f: abs(response(f)) ** 2 - 0.5, resonance, high)
        return {
            "resonance_hz": resonance,
            "cp_f1_3db_hz": lower,
            "cp_f2_3db_hz": upper,
            "bandwidth_hz": upper - lower,
            "cp_q_factor": resonance / (upper - lower),
        }


def _unused_resonance_hz(draws: PlotDraws) -> float:
    low, high = (math.log10(bound) for bound in _RESONANCE_HZ)
    for _ in range(_MOST_REDRAWS):
        f0 = round_half_even(10.0 ** draws.uniform(low, high), 1)
        if f0 not in draws.used:
            break
    draws.used.add(f0)
    return f0


def _half_power_hz(params: BandpassResponseParams) -> tuple[float, float]:
    centre = math.sqrt(1.0 + 1.0 / (4.0 * params.Q**2))
    half_width = 1.0 / (2.0 * params.Q)
    return params.f0_hz * (centre - half_width), params.f0_hz * (centre + half_width)


def _magnitude_db(params: BandpassResponseParams) -> tuple[FloatArray, FloatArray]:
    """Sample frequency in Hz and magnitude in dB, `n_points` each, both ends included."""
    f = np.logspace(math.log10(params.fmin_hz), math.log10(params.fmax_hz), params.n_points)
    ratio = f / params.f0_hz
    damping = ratio / params.Q
    return f, 20.0 * np.log10(damping / np.sqrt((1.0 - ratio**2) ** 2 + damping**2))


def _draw_helpers(axes: Axes, truth: Mapping[str, float], *, peak_db: float) -> None:
    marks.dashed_horizontal(axes, peak_db - _HALF_POWER_DROP_DB)
    marks.dashed_vertical(axes, truth["cp_f1_3db_hz"])
    marks.dashed_vertical(axes, truth["cp_f2_3db_hz"])
    marks.note(axes, truth["resonance_hz"], peak_db, "f0", ha="center", va="bottom")


FAMILY = BandpassResponse()
