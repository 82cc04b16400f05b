"""One pole and one zero in the complex plane."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import np
from generators.plotchain.v5 import drawing, readings
from generators.plotchain.v5.axes import HEIGHT_PX, POLE, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import zero_lines
from generators.plotchain.v5.plot import V5Plot, asked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams
    from generators.plotchain.v5.drawing import MarkLine

__all__ = ["FAMILY", "PoleZero", "PoleZeroParams"]

_LEAST_DISTANCE_PX = 50.0
_LEGEND_X_PX = (650.0, 740.0)
_LEGEND_GAP_PX = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoleZeroParams(PlotParams):
    """Coordinates of pole and zero, in the unit of both axes."""

    unit: str
    pole_real: float
    pole_imag: float
    zero_real: float
    zero_imag: float


class PoleZero(V5Plot[PoleZeroParams]):
    """A cross at the pole and a circle at the zero, apart from each other, anywhere in the axes."""

    name = "pole_zero"
    params_type = PoleZeroParams
    title = "Pole-zero plot"
    about = "one pole (×) and one zero (○) in the complex plane"
    fields = (
        asked("pole_real", "rad/s", "real part of the pole"),
        asked("pole_imag", "rad/s", "imaginary part of the pole"),
        asked("zero_real", "rad/s", "real part of the zero"),
        asked("zero_imag", "rad/s", "imaginary part of the zero"),
    )

    def attempt(self, draws: PlotDraws) -> PoleZeroParams:
        """Draw unit and axes, then both places until they are apart."""
        unit = draws.pick(tuple(POLE))
        width = draws.log_uniform(2.0, 2000.0)
        left = -width * draws.uniform(0.2, 1.6)
        height = width * draws.log_uniform(0.4, 2.5)
        bottom = -height * draws.uniform(0.1, 0.9)
        places = _four_fractions(draws)
        while _distance_px(places) <= _LEAST_DISTANCE_PX:
            places = _four_fractions(draws)
        return PoleZeroParams(
            **PlotParams.limits((left, left + width), (bottom, bottom + height)),
            unit=unit,
            pole_real=left + places[0] * width,
            pole_imag=bottom + places[1] * height,
            zero_real=left + places[2] * width,
            zero_imag=bottom + places[3] * height,
        )

    def labels(self, params: PoleZeroParams) -> tuple[AxisLabel, AxisLabel]:
        """Return real and imaginary part."""
        return AxisLabel("Real part", params.unit, POLE), AxisLabel("Imaginary part", params.unit, POLE)

    def readings(self, params: PoleZeroParams) -> dict[str, readings.ExactReading]:
        """Return the four coordinates."""
        frame = self.frame(params)
        return {
            "pole_real": readings.level(frame.x, params.pole_real),
            "pole_imag": readings.level(frame.y, params.pole_imag),
            "zero_real": readings.level(frame.x, params.zero_real),
            "zero_imag": readings.level(frame.y, params.zero_imag),
        }

    def marks(self, params: PoleZeroParams) -> tuple[MarkLine, ...]:
        """Return the lines through zero."""
        return zero_lines(self.frame(params))

    def draw_content(self, axes: Axes, case: PlotCase[PoleZeroParams]) -> None:
        """Draw cross, circle and what they mean."""
        params, frame = case.params, self.frame(case.params)
        drawing.draw_symbol(axes, frame.x.px(params.pole_real), frame.y.px(params.pole_imag), "x")
        drawing.draw_symbol(axes, frame.x.px(params.zero_real), frame.y.px(params.zero_imag), "o")
        for x_px, symbol, text in zip(_LEGEND_X_PX, "xo", ("pole", "zero"), strict=True):
            drawing.draw_symbol(axes, x_px, drawing.LEGEND_Y_PX, symbol)
            drawing.write(axes, x_px + _LEGEND_GAP_PX, drawing.LEGEND_Y_PX, text, ha="left")

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields as roots of polynomials."""
        radians = in_base_unit(POLE, p.text("unit"))
        truth: dict[str, float] = {}
        for name in ("pole", "zero"):
            root = complex(np.roots([1.0, -complex(p[f"{name}_real"], p[f"{name}_imag"])])[0]) * radians
            truth |= {f"{name}_real": root.real, f"{name}_imag": root.imag}
        return truth


def _four_fractions(draws: PlotDraws) -> list[float]:
    return [draws.uniform(0.05, 0.95) for _ in range(4)]


def _distance_px(places: list[float]) -> float:
    x_px, y_px = (places[2] - places[0]) * WIDTH_PX, (places[3] - places[1]) * HEIGHT_PX
    return math.hypot(x_px, y_px)


FAMILY = PoleZero()
