"""Stress over strain of a ductile metal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import bisect, np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "StressStrain", "StressStrainParams"]

_YIELD_MPA = (200.0, 250.0, 300.0, 350.0, 400.0, 450.0, 500.0)
_HARDENING_MPA = (100.0, 150.0, 200.0)
_FRACTURE_STRAIN = (0.15, 0.20, 0.25, 0.30)
_ULTIMATE_STRAIN = (0.08, 0.10, 0.12, 0.15)
_MODULUS_GPA = 200.0
_FRACTURE_STRESS_STEP_MPA = 25.0
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.0, "moderate": 0.0, "edge": 0.01}
_NOISE_SIGMA = 0.6
_TICK_STEP: Final[dict[Difficulty, tuple[float, float]]] = {
    "clean": (0.05, 50.0),
    "moderate": (0.05, 50.0),
    "edge": (0.10, 100.0),
}
_SAMPLES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class StressStrainParams:
    """Modulus in GPa, stresses in MPa, strains as fractions, what is shown, relative noise."""

    E_gpa: float
    yield_strength_mpa: float
    uts_mpa: float
    fracture_strain: float
    uts_strain: float
    fracture_stress_mpa: float
    grid: bool
    show_markers: bool
    noise: float


class StressStrain(PlotFamily[StressStrainParams]):
    """Three straight parts: elastic (Hooke) to yield, hardening to ultimate, falling to fracture."""

    name = "stress_strain"
    params_type = StressStrainParams
    edge_tag = "no_grid_noise"
    fields = (
        FieldSpec(name="yield_strength_mpa", unit="MPa", decimals=0),
        FieldSpec(name="uts_mpa", unit="MPa", decimals=0),
        FieldSpec(name="fracture_strain", unit="unitless", decimals=3),
        FieldSpec(name="cp_yield_strain", unit="unitless", decimals=None),
        FieldSpec(name="cp_uts_strain", unit="unitless", decimals=None),
    )
    question_text = (
        "From the stress-strain curve, estimate:\n1) yield_strength_mpa (MPa)\n"
        "2) uts_mpa (MPa, ultimate tensile strength)\n3) fracture_strain\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> StressStrainParams:
        """Draw yield, hardening, fracture strain, then the strain at ultimate stress."""
        yield_mpa = draws.pick(_YIELD_MPA)
        ultimate_mpa = yield_mpa + draws.pick(_HARDENING_MPA)
        fracture = draws.pick(_FRACTURE_STRAIN)
        ultimate = draws.pick(_ULTIMATE_STRAIN)
        if ultimate >= fracture - 0.03:
            ultimate = max(0.06, fracture - 0.05)
        steps = round(0.75 * ultimate_mpa / _FRACTURE_STRESS_STEP_MPA)
        return StressStrainParams(
            E_gpa=_MODULUS_GPA,
            yield_strength_mpa=yield_mpa,
            uts_mpa=ultimate_mpa,
            fracture_strain=fracture,
            uts_strain=ultimate,
            fracture_stress_mpa=steps * _FRACTURE_STRESS_STEP_MPA,
            grid=draws.difficulty != "edge",
            show_markers=draws.difficulty == "clean",
            noise=_NOISE[draws.difficulty],
        )

    def truth(self, params: StressStrainParams) -> dict[str, float]:
        """Return yield and ultimate stress, fracture strain, and the strains of the two corners."""
        return {
            "yield_strength_mpa": params.yield_strength_mpa,
            "uts_mpa": params.uts_mpa,
            "fracture_strain": params.fracture_strain,
            "cp_yield_strain": _yield_strain(params),
            "cp_uts_strain": params.uts_strain,
        }

    def extent(self, case: PlotCase[StressStrainParams]) -> Extent:
        """Return the drawn limits and tick steps."""
        x_step, y_step = _TICK_STEP[case.difficulty]
        return Extent.of(
            x=(0.0, 1.05 * case.params.fracture_strain), y=(0.0, 1.1 * case.params.uts_mpa), steps=(x_step, y_step)
        )

    def draw(self, axes: Axes, case: PlotCase[StressStrainParams]) -> None:
        """Draw the curve; dots at both corners when clean, grid unless edge."""
        params = case.params
        marks.curve(axes, *_stress(case), width_pt=1.6)
        if params.show_markers:
            marks.dot(axes, _yield_strain(params), params.yield_strength_mpa)
            marks.dot(axes, params.uts_strain, params.uts_mpa)
        marks.frame(axes, self.extent(case))
        marks.name_axes(axes, title="Stress–Strain Curve", x="Strain", y="Stress (MPa)")
        if params.grid:
            marks.grid(axes)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection for the knee and the top of the curve."""
        modulus_mpa = 1000.0 * p["E_gpa"]
        corners = (0.0, p["yield_strength_mpa"] / modulus_mpa, p["uts_strain"], p["fracture_strain"])
        levels = (0.0, p["yield_strength_mpa"], p["uts_mpa"], p["fracture_stress_mpa"])

        def stress_mpa(strain: float) -> float:
            return float(np.interp(strain, corners, levels))

        # Yield is where the curve leaves Hooke's line; ultimate is where its secant turns downwards.
        step = 1e-9
        knee = bisect(lambda e: modulus_mpa * e - stress_mpa(e) - step, step, p["uts_strain"])
        top = bisect(lambda e: stress_mpa(e + step) - stress_mpa(e), knee, p["fracture_strain"] - step)
        return {
            "yield_strength_mpa": stress_mpa(knee),
            "uts_mpa": stress_mpa(top),
            "fracture_strain": p["fracture_strain"],
            "cp_yield_strain": knee,
            "cp_uts_strain": top,
        }


def _yield_strain(params: StressStrainParams) -> float:
    return params.yield_strength_mpa / (1000.0 * params.E_gpa)


def _stress(case: PlotCase[StressStrainParams]) -> tuple[FloatArray, FloatArray]:
    """Sample strain and noisy stress in MPa, 500 each, from zero to fracture."""
    params = case.params
    strain = np.linspace(0.0, params.fracture_strain, _SAMPLES)
    corners = (0.0, _yield_strain(params), params.uts_strain, params.fracture_strain)
    levels = (0.0, params.yield_strength_mpa, params.uts_mpa, params.fracture_stress_mpa)
    stress = np.interp(strain, corners, levels)
    if params.noise > 0.0:
        noise = np.random.default_rng(case.seed).normal(0.0, _NOISE_SIGMA, size=strain.size)
        stress = stress * (1.0 + params.noise * noise)
    return strain, stress


FAMILY = StressStrain()
