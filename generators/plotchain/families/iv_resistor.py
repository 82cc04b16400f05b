"""Voltage over current of a resistor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from generators.plotchain import marks
from generators.plotchain.family import Case, Difficulty, Extent, Family, FieldSpec
from generators.plotchain.numeric import nice_step, np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.draws import Draws

__all__ = ["FAMILY", "IvResistor", "IvResistorParams"]

_RESISTANCE_OHM = (50.0, 100.0, 200.0, 300.0, 500.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class IvResistorParams:
    """Resistance in ohm, largest current in A, number of points."""

    R_ohm: float
    i_max_a: float = 0.02
    n_points: int = 60


class IvResistor(Family[IvResistorParams]):
    """V = R I (Ohm's law) from zero to the largest current."""

    name = "iv_resistor"
    params_type = IvResistorParams
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {"edge": "no_grid"}
    fields = (
        FieldSpec(name="resistance_ohm", unit="Ohm", decimals=0),
        FieldSpec(name="cp_slope_ohm", unit="Ohm", decimals=0),
    )
    question_text = (
        "From the resistor IV plot (Voltage vs Current), estimate:\n1) resistance_ohm (Ohm)\nReturn numeric JSON."
    )

    def sample(self, draws: Draws) -> IvResistorParams:
        """Draw the resistance."""
        return IvResistorParams(R_ohm=draws.pick(_RESISTANCE_OHM))

    def truth(self, params: IvResistorParams) -> Mapping[str, float]:
        """Return the resistance, and once more as the line's slope."""
        return {"resistance_ohm": params.R_ohm, "cp_slope_ohm": params.R_ohm}

    def extent(self, case: Case[IvResistorParams]) -> Extent:
        """Return the ranges of current and voltage, both from zero."""
        v_max = case.params.R_ohm * case.params.i_max_a
        return Extent(
            x_min=0.0,
            x_max=case.params.i_max_a,
            y_min=0.0,
            y_max=v_max,
            tick_step_x=nice_step(case.params.i_max_a, 5),
            tick_step_y=nice_step(v_max, 5),
        )

    def draw(self, axes: Axes, case: Case[IvResistorParams]) -> None:
        """Draw the line, gridded unless edge."""
        current_a = np.linspace(0.0, case.params.i_max_a, case.params.n_points)
        marks.curve(axes, current_a, case.params.R_ohm * current_a, width_pt=1.4)
        marks.name_axes(axes, title="IV Curve (Resistor) — V vs I", x="Current (A)", y="Voltage (V)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)


FAMILY = IvResistor()
