"""Magnitude of a first-order low-pass over frequency."""

from __future__ import annotations

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

__all__ = ["FAMILY", "BodeMagnitude", "BodeMagnitudeParams"]

_GAIN = (0.1, 1.0, 10.0, 100.0)
_CORNER_HZ = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
_MARKER_RATIO = (0.5, 1.0, 2.0)
_HALF_POWER_DB = 10.0 * math.log10(2.0)
_SLOPE_DB_PER_DECADE = -20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BodeMagnitudeParams:
    """Linear gain `K`, corner, marker and range ends in Hz, number of log-spaced points."""

    K: float
    fc_hz: float
    fq_hz: float
    fmin_hz: float
    fmax_hz: float
    n_points: int = 600


class BodeMagnitude(PlotFamily[BodeMagnitudeParams]):
    """|H(f)| = K / sqrt(1 + (f / fc)^2), in dB; at the corner 3.0103 dB below the gain."""

    name = "bode_magnitude"
    params_type = BodeMagnitudeParams
    fields = (
        FieldSpec(name="dc_gain_db", unit="dB", decimals=1),
        FieldSpec(name="cutoff_hz", unit="Hz", decimals=0),
        FieldSpec(name="cp_mag_at_fc_db", unit="dB", decimals=1),
        FieldSpec(name="cp_slope_db_per_decade", unit="dB/dec", decimals=0),
    )
    question_text = (
        "From the Bode magnitude plot, estimate:\n1) dc_gain_db (dB)\n"
        "2) cutoff_hz (Hz) (−3 dB point)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> BodeMagnitudeParams:
        """Draw gain, corner, then the marker as a multiple of the corner."""
        gain = draws.pick(_GAIN)
        fc = draws.pick(_CORNER_HZ)
        fq = fc * draws.pick(_MARKER_RATIO)
        return BodeMagnitudeParams(K=gain, fc_hz=fc, fq_hz=fq, fmin_hz=fc / 50.0, fmax_hz=fc * 50.0)

    def truth(self, params: BodeMagnitudeParams) -> dict[str, float]:
        """Return gain in dB, corner, level at the corner and the asymptote's slope."""
        gain_db = 20.0 * math.log10(params.K)
        return {
            "dc_gain_db": gain_db,
            "cutoff_hz": params.fc_hz,
            "cp_mag_at_fc_db": gain_db - _HALF_POWER_DB,
            "cp_slope_db_per_decade": _SLOPE_DB_PER_DECADE,
        }

    def extent(self, case: PlotCase[BodeMagnitudeParams]) -> Extent:
        """Return the frequency range and the range of the curve."""
        return Extent.of(x=(case.params.fmin_hz, case.params.fmax_hz), y=span(_magnitude_db(case.params)[1]))

    def draw(self, axes: Axes, case: PlotCase[BodeMagnitudeParams]) -> None:
        """Draw curve and marker line; corner helpers and grid unless edge."""
        params = case.params
        f, magnitude_db = _magnitude_db(params)
        low, high = span(magnitude_db)
        marks.curve(axes, f, magnitude_db, width_pt=1.4, log_x=True)
        marks.name_axes(axes, title="Bode Magnitude (1st-order Low-pass)", x="Frequency (Hz)", y="Magnitude (dB)")
        if case.difficulty != "edge":
            marks.grid(axes, which="both")
            corner_db = 20.0 * math.log10(params.K) - _HALF_POWER_DB
            marks.corner(axes, params.fc_hz, corner_db, text_y=high)
        marks.marker_frequency(axes, params.fq_hz, low=low, high=high)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection for half power, and levels far apart."""

        def level_db(frequency: float) -> float:
            return 20.0 * math.log10(abs(p["K"] / complex(1.0, frequency / p["fc_hz"])))

        flat = level_db(0.0)
        half_power = 10.0 * math.log10(0.5)
        corner = bisect(lambda f: level_db(f) - flat - half_power, p["fmin_hz"], p["fmax_hz"])
        far = 1e6 * p["fmax_hz"]
        return {
            "dc_gain_db": flat,
            "cutoff_hz": corner,
            "cp_mag_at_fc_db": level_db(corner),
            "cp_slope_db_per_decade": level_db(10.0 * far) - level_db(far),
        }


def _magnitude_db(params: BodeMagnitudeParams) -> tuple[FloatArray, FloatArray]:
    """Sample frequency in Hz and magnitude in dB, `n_points` each, both ends included."""
    f = np.logspace(math.log10(params.fmin_hz), math.log10(params.fmax_hz), params.n_points)
    return f, 20.0 * np.log10(params.K / np.sqrt(1.0 + (f / params.fc_hz) ** 2))


FAMILY = BodeMagnitude()
