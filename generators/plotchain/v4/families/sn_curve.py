"""Stress over cycles to failure (fatigue)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "SnCurve", "SnCurveParams"]

_STRESS_AT_1E3_MPA = (450.0, 500.0, 550.0, 600.0)
_ENDURANCE_LIMIT_MPA = (200.0, 225.0, 250.0, 275.0, 300.0)
_FIRST_CYCLES = 1e3
_LAST_CYCLES = 1e7
_READ_CYCLES = 1e5
_SAMPLES = 300
_CYCLE_TICKS = {1e3: "1e3", 1e4: "1e4", 1e5: "1e5", 1e6: "1e6", 1e7: "1e7"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SnCurveParams:
    """Stress at 1e3 cycles and endurance limit in MPa, cycles at the knee, whether a grid is drawn."""

    stress_at_1e3_mpa: float
    endurance_limit_mpa: float
    knee_cycles: float
    grid: bool


class SnCurve(PlotFamily[SnCurveParams]):
    """Basquin's power law S = S3 (N / 1e3)^b from 1e3 cycles to the knee, then the endurance limit."""

    name = "sn_curve"
    params_type = SnCurveParams
    edge_tag = "no_grid"
    fields = (
        FieldSpec(name="stress_at_1e5_mpa", unit="MPa", decimals=0),
        FieldSpec(name="endurance_limit_mpa", unit="MPa", decimals=0),
        FieldSpec(name="cp_stress_at_1e3_mpa", unit="MPa", decimals=None),
    )
    question_text = (
        "From the S-N curve (fatigue), estimate:\n1) stress_at_1e5_mpa (MPa) at 10^5 cycles\n"
        "2) endurance_limit_mpa (MPa)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> SnCurveParams:
        """Draw the stress at 1e3 cycles, then the endurance limit."""
        stress = draws.pick(_STRESS_AT_1E3_MPA)
        limit = draws.pick(_ENDURANCE_LIMIT_MPA)
        return SnCurveParams(
            stress_at_1e3_mpa=stress, endurance_limit_mpa=limit, knee_cycles=1e6, grid=draws.difficulty != "edge"
        )

    def truth(self, params: SnCurveParams) -> dict[str, float]:
        """Return the stress at 1e5 cycles, the endurance limit and the stress at 1e3 cycles."""
        at_read = params.stress_at_1e3_mpa * (_READ_CYCLES / _FIRST_CYCLES) ** _exponent(params)
        return {
            "stress_at_1e5_mpa": at_read,
            "endurance_limit_mpa": params.endurance_limit_mpa,
            "cp_stress_at_1e3_mpa": params.stress_at_1e3_mpa,
        }

    def extent(self, case: PlotCase[SnCurveParams]) -> Extent:
        """Return the drawn limits and the stress tick step."""
        return Extent.of(
            x=(_FIRST_CYCLES, _LAST_CYCLES),
            y=(0.0, 1.1 * case.params.stress_at_1e3_mpa),
            steps=(None, 100.0 if case.difficulty == "edge" else 50.0),
        )

    def draw(self, axes: Axes, case: PlotCase[SnCurveParams]) -> None:
        """Draw the curve over log cycles, gridded at major and minor ticks unless edge."""
        marks.curve(axes, *_stress(case.params), width_pt=1.6, log_x=True)
        marks.frame(axes, self.extent(case))
        axes.set_xticks(list(_CYCLE_TICKS), list(_CYCLE_TICKS.values()))
        marks.name_axes(axes, title="S–N Curve (Fatigue)", x="Cycles N (log scale)", y="Stress (MPa)")
        if case.params.grid:
            marks.grid(axes, which="both")

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
    drop = math.log(params.endurance_limit_mpa / params.stress_at_1e3_mpa)
    return drop / math.log(params.knee_cycles / _FIRST_CYCLES)


def _stress(params: SnCurveParams) -> tuple[FloatArray, FloatArray]:
    """Sample cycles and stress in MPa, 300 log-spaced each, both ends included."""
    cycles = np.logspace(math.log10(_FIRST_CYCLES), math.log10(_LAST_CYCLES), _SAMPLES)
    stress = params.stress_at_1e3_mpa * (cycles / _FIRST_CYCLES) ** _exponent(params)
    return cycles, np.where(cycles <= params.knee_cycles, stress, params.endurance_limit_mpa)


FAMILY = SnCurve()
