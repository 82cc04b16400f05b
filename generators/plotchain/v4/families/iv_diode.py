"""Current over voltage of a diode."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import bisect, np, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "IvDiode", "IvDiodeParams"]

_TARGET_CURRENT_A = (0.002, 0.005, 0.010, 0.020)
_TURN_ON_VOLTAGE_V = (0.55, 0.60, 0.65, 0.70)
_SLOPE_VOLTAGE_V = (0.05, 0.06)
_REFERENCE_V = 0.40
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.0, "moderate": 0.03, "edge": 0.06}
_NOISE_STREAM = 59


@dataclass(frozen=True, slots=True, kw_only=True)
class IvDiodeParams:
    """Reference and slope voltage in V, current at the reference and target current in A, range in V."""

    Vt: float
    k: float
    I0: float
    target_current_a: float
    v_min: float
    v_max: float
    n_points: int
    noise: float


class IvDiode(PlotFamily[IvDiodeParams]):
    """I = I0 exp((V - Vt) / k), so the target current flows at V = Vt + k ln(target / I0)."""

    name = "iv_diode"
    params_type = IvDiodeParams
    edge_tag = "no_grid_more_noise"
    fields = (
        FieldSpec(name="target_current_a", unit="A", decimals=3),
        FieldSpec(name="turn_on_voltage_v_at_target_i", unit="V", decimals=2),
    )
    question_text = (
        "From the diode IV plot, a horizontal line shows I_target = {target_current_a:.3f} A.\n"
        "Estimate the turn-on voltage at that current:\n1) target_current_a (A)\n"
        "2) turn_on_voltage_v_at_target_i (V)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> IvDiodeParams:
        """Draw target current, the voltage where it flows, and the slope voltage."""
        target = draws.pick(_TARGET_CURRENT_A)
        turn_on = draws.pick(_TURN_ON_VOLTAGE_V)
        slope = draws.pick(_SLOPE_VOLTAGE_V)
        return IvDiodeParams(
            Vt=_REFERENCE_V,
            k=slope,
            I0=target / math.exp((turn_on - _REFERENCE_V) / slope),
            target_current_a=target,
            v_min=0.0,
            v_max=0.9,
            n_points=220,
            noise=_NOISE[draws.difficulty],
        )

    def truth(self, params: IvDiodeParams) -> dict[str, float]:
        """Return the target current and the voltage at which the noise-free curve reaches it."""
        voltage = params.Vt + params.k * math.log(params.target_current_a / params.I0)
        return {"target_current_a": params.target_current_a, "turn_on_voltage_v_at_target_i": voltage}

    def extent(self, case: PlotCase[IvDiodeParams]) -> Extent:
        """Return the voltage range and the range of the noisy current."""
        return Extent.with_nice_steps(
            x=(case.params.v_min, case.params.v_max), y=span(_current(case)[1]), intervals=(5, 5)
        )

    def draw(self, axes: Axes, case: PlotCase[IvDiodeParams]) -> None:
        """Draw the noisy curve and the labelled target line, gridded unless edge."""
        target = case.params.target_current_a
        marks.curve(axes, *_current(case), width_pt=1.4)
        marks.dashed_horizontal(axes, target, alpha=0.8)
        marks.note(axes, case.params.v_min, target, f"I_target={target:.3f} A", ha="left", va="bottom")
        marks.name_axes(axes, title="IV Curve (Diode) — I vs V", x="Voltage (V)", y="Current (A)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection on the current."""

        def excess_a(voltage: float) -> float:
            return p["I0"] * math.exp((voltage - p["Vt"]) / p["k"]) - p["target_current_a"]

        voltage = bisect(excess_a, p["v_min"], p["v_max"])
        return {
            "target_current_a": excess_a(voltage) + p["target_current_a"],
            "turn_on_voltage_v_at_target_i": voltage,
        }


def _current(case: PlotCase[IvDiodeParams]) -> tuple[FloatArray, FloatArray]:
    """Sample voltage in V and noisy current in A, `n_points` each, both ends included."""
    params = case.params
    v = np.linspace(params.v_min, params.v_max, params.n_points)
    i = params.I0 * np.exp((v - params.Vt) / params.k)
    if params.noise > 0.0:
        noise = np.random.default_rng(case.seed + _NOISE_STREAM).normal(0.0, params.noise, size=v.size)
        i = i * (1.0 + noise)
    return v, i


FAMILY = IvDiode()
