"""Voltage over current of a resistor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams

__all__ = ["FAMILY", "IvResistor", "IvResistorParams"]

_RESISTANCE_OHM = (50.0, 100.0, 200.0, 300.0, 500.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class IvResistorParams:
    """Resistance in ohm, largest current in A, number of points."""

    R_ohm: float
    i_max_a: float = 0.02
    n_points: int = 60


class IvResistor(PlotFamily[IvResistorParams]):
    """V = R I (Ohm's law) from zero to the largest current."""

    name = "iv_resistor"
    params_type = IvResistorParams
    edge_tag = "no_grid"
    fields = (
        FieldSpec(name="resistance_ohm", unit="Ohm", decimals=0),
        FieldSpec(name="cp_slope_ohm", unit="Ohm", decimals=0),
    )
    question_text = (
        "From the resistor IV plot (Voltage vs Current), estimate:\n1) resistance_ohm (Ohm)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> IvResistorParams:
        """Draw the resistance."""
        return IvResistorParams(R_ohm=draws.pick(_RESISTANCE_OHM))

    def truth(self, params: IvResistorParams) -> dict[str, float]:
        """Return the resistance, and once more as the line's slope."""
        return {"resistance_ohm": params.R_ohm, "cp_slope_ohm": params.R_ohm}

    def extent(self, case: PlotCase[IvResistorParams]) -> Extent:
        """Return the ranges of current and voltage, both from zero."""
        v_max = case.params.R_ohm * case.params.i_max_a
        return Extent.with_nice_steps(x=(0.0, case.params.i_max_a), y=(0.0, v_max), intervals=(5, 5))

    def draw(self, axes: Axes, case: PlotCase[IvResistorParams]) -> None:
        """Draw the line, gridded unless edge."""
        current_a = np.linspace(0.0, case.params.i_max_a, case.params.n_points)
        marks.curve(axes, current_a, case.params.R_ohm * current_a, width_pt=1.4)
        marks.name_axes(axes, title="IV Curve (Resistor) — V vs I", x="Current (A)", y="Voltage (V)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from a line fitted to points."""
        current = np.linspace(0.0, p["i_max_a"], int(p["n_points"]))
        slope = float(np.polyfit(current, current / (1.0 / p["R_ohm"]), 1)[0])
        return {"resistance_ohm": slope, "cp_slope_ohm": slope}


FAMILY = IvResistor()
