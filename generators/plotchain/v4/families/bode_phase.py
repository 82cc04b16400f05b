"""Phase of a first-order low-pass over frequency."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import bisect, np, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "BodePhase", "BodePhaseParams"]

_CORNER_HZ = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
_LAG_DEG = (15.0, 30.0, 45.0, 60.0, 75.0)
_PHASE_AT_CORNER_DEG = -45.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BodePhaseParams:
    """Corner, marker and range ends in Hz, lag at the marker in degrees, number of log-spaced points."""

    fc_hz: float
    fq_hz: float
    theta_deg: float
    fmin_hz: float
    fmax_hz: float
    n_points: int = 600


class BodePhase(PlotFamily[BodePhaseParams]):
    """phase(f) = -atan(f / fc); the marker stands at fc tan(lag), so its phase is minus the lag."""

    name = "bode_phase"
    params_type = BodePhaseParams
    fields = (
        FieldSpec(name="cutoff_hz", unit="Hz", decimals=0),
        FieldSpec(name="phase_deg_at_fq", unit="deg", decimals=1, hinted=False),
        FieldSpec(name="cp_phase_deg_at_fc", unit="deg", decimals=1),
    )
    question_text = (
        "From the Bode phase plot, estimate:\n1) cutoff_hz (Hz)\n"
        "2) phase_deg_at_fq (deg) at the marked f_q\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> BodePhaseParams:
        """Draw corner, then lag at the marker."""
        fc = draws.pick(_CORNER_HZ)
        lag = draws.pick(_LAG_DEG)
        return BodePhaseParams(
            fc_hz=fc, fq_hz=fc * math.tan(math.radians(lag)), theta_deg=lag, fmin_hz=fc / 50.0, fmax_hz=fc * 50.0
        )

    def truth(self, params: BodePhaseParams) -> dict[str, float]:
        """Return the corner and the phases at marker and corner."""
        return {
            "cutoff_hz": params.fc_hz,
            "phase_deg_at_fq": -math.degrees(math.atan(params.fq_hz / params.fc_hz)),
            "cp_phase_deg_at_fc": _PHASE_AT_CORNER_DEG,
        }

    def extent(self, case: PlotCase[BodePhaseParams]) -> Extent:
        """Return the frequency range and the range of the curve."""
        return Extent.of(x=(case.params.fmin_hz, case.params.fmax_hz), y=span(_phase_deg(case.params)[1]))

    def draw(self, axes: Axes, case: PlotCase[BodePhaseParams]) -> None:
        """Draw curve and marker line; corner helpers and grid unless edge."""
        f, phase_deg = _phase_deg(case.params)
        low, high = span(phase_deg)
        marks.curve(axes, f, phase_deg, width_pt=1.4, log_x=True)
        marks.name_axes(axes, title="Bode Phase (1st-order Low-pass)", x="Frequency (Hz)", y="Phase (deg)")
        if case.difficulty != "edge":
            marks.grid(axes, which="both")
            marks.corner(axes, case.params.fc_hz, _PHASE_AT_CORNER_DEG, text_y=high)
        marks.marker_frequency(axes, case.params.fq_hz, low=low, high=high)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the complex response."""

        def phase_deg(frequency: float) -> float:
            return math.degrees(cmath.phase(1.0 / complex(1.0, frequency / p["fc_hz"])))

        corner = bisect(lambda f: phase_deg(f) + 45.0, p["fmin_hz"], p["fmax_hz"])
        return {
            "cutoff_hz": corner,
            "phase_deg_at_fq": phase_deg(p["fq_hz"]),
            "cp_phase_deg_at_fc": phase_deg(corner),
        }


def _phase_deg(params: BodePhaseParams) -> tuple[FloatArray, FloatArray]:
    """Sample frequency in Hz and phase in degrees, `n_points` each, both ends included."""
    f = np.logspace(math.log10(params.fmin_hz), math.log10(params.fmax_hz), params.n_points)
    return f, -np.degrees(np.arctan(f / params.fc_hz))


FAMILY = BodePhase()
