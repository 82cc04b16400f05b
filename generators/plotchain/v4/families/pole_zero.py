"""One pole and one zero in the complex plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams

__all__ = ["FAMILY", "PoleZero", "PoleZeroParams"]

_REAL = (-8.0, -6.0, -5.0, -4.0, -3.0, -2.0, -1.0)
_IMAGINARY = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0)
_TICK_STEP: Final[dict[Difficulty, float]] = {"clean": 1.0, "moderate": 2.0, "edge": 5.0}
_MARK_AREA_PT2 = 70.0
_MARK_LINE_PT = 1.6
_ZERO_LINE_PT = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoleZeroParams:
    """Coordinates of pole and zero, and the limit of both axes, in 1/s."""

    pole_real: float
    pole_imag: float
    zero_real: float
    zero_imag: float
    axis_lim: float = 10.0


class PoleZero(PlotFamily[PoleZeroParams]):
    """A cross at the pole and a circle at the zero, both in the left half plane; they may coincide."""

    name = "pole_zero"
    params_type = PoleZeroParams
    figure_size_in = (5.2, 5.2)
    edge_tag = "coarse_ticks"
    fields = (
        FieldSpec(name="pole_real", unit="1/s", decimals=0, hinted=False),
        FieldSpec(name="pole_imag", unit="1/s", decimals=0, hinted=False),
        FieldSpec(name="zero_real", unit="1/s", decimals=0, hinted=False),
        FieldSpec(name="zero_imag", unit="1/s", decimals=0, hinted=False),
    )
    question_text = (
        "From the pole-zero plot, read the coordinates of the single pole (x) and single zero (o):\n"
        "1) pole_real\n2) pole_imag\n3) zero_real\n4) zero_imag\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> PoleZeroParams:
        """Draw the pole's real and imaginary part, then the zero's."""
        return PoleZeroParams(
            pole_real=draws.pick(_REAL),
            pole_imag=draws.pick(_IMAGINARY),
            zero_real=draws.pick(_REAL),
            zero_imag=draws.pick(_IMAGINARY),
        )

    def truth(self, params: PoleZeroParams) -> dict[str, float]:
        """Return the four coordinates."""
        return {spec.name: getattr(params, spec.name) for spec in self.fields}

    def extent(self, case: PlotCase[PoleZeroParams]) -> Extent:
        """Return the drawn limits and tick steps, equal on both axes."""
        limit, step = case.params.axis_lim, _TICK_STEP[case.difficulty]
        return Extent(x_min=-limit, x_max=limit, y_min=-limit, y_max=limit, tick_step_x=step, tick_step_y=step)

    def draw(self, axes: Axes, case: PlotCase[PoleZeroParams]) -> None:
        """Draw the axes through zero, circle and cross; grid unless edge."""
        params = case.params
        axes.axhline(0.0, linewidth=_ZERO_LINE_PT)
        axes.axvline(0.0, linewidth=_ZERO_LINE_PT)
        axes.scatter(
            [params.zero_real],
            [params.zero_imag],
            s=_MARK_AREA_PT2,
            marker="o",
            facecolors="none",
            edgecolors="black",
            linewidths=_MARK_LINE_PT,
        )
        axes.scatter(
            [params.pole_real],
            [params.pole_imag],
            s=_MARK_AREA_PT2,
            marker="x",
            color="black",
            linewidths=_MARK_LINE_PT,
        )
        marks.frame(axes, self.extent(case))
        marks.name_axes(axes, title="Pole-Zero Plot", x="Real", y="Imag")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields as roots of polynomials."""
        pole = complex(np.roots([1.0, -complex(p["pole_real"], p["pole_imag"])])[0])
        zero = complex(np.roots([1.0, -complex(p["zero_real"], p["zero_imag"])])[0])
        return {"pole_real": pole.real, "pole_imag": pole.imag, "zero_real": zero.real, "zero_imag": zero.imag}


FAMILY = PoleZero()
