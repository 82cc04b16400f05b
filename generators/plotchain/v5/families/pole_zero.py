"""One pole and one zero in the complex plane."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.v5 import drawing, readings
from generators.plotchain.v5.frame import HEIGHT_PX, WIDTH_PX, AxisName, Frame, PlotParams
from generators.plotchain.v5.marks import zero_lines
from generators.plotchain.v5.plot import Plot, asked
from generators.plotchain.v5.units import POLE, in_base_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.draws import Draws
    from generators.plotchain.family import Case
    from generators.plotchain.v5.marks import Line

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


class PoleZero(Plot[PoleZeroParams]):
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

    def attempt(self, draws: Draws) -> PoleZeroParams:
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
            x_min=left,
            x_max=left + width,
            y_min=bottom,
            y_max=bottom + height,
            unit=unit,
            pole_real=left + places[0] * width,
            pole_imag=bottom + places[1] * height,
            zero_real=left + places[2] * width,
            zero_imag=bottom + places[3] * height,
        )

    def frame(self, params: PoleZeroParams) -> Frame:
        """Return real and imaginary part."""
        return Frame.around(
            params,
            x=AxisName(quantity="Real part", unit=params.unit),
            y=AxisName(quantity="Imaginary part", unit=params.unit),
        )

    def readings(self, params: PoleZeroParams) -> Mapping[str, readings.Reading]:
        """Return the four coordinates."""
        frame = self.frame(params)
        base = in_base_unit(POLE, params.unit)
        return {
            "pole_real": readings.level(frame.x, params.pole_real, base=base),
            "pole_imag": readings.level(frame.y, params.pole_imag, base=base),
            "zero_real": readings.level(frame.x, params.zero_real, base=base),
            "zero_imag": readings.level(frame.y, params.zero_imag, base=base),
        }

    def marks(self, params: PoleZeroParams) -> tuple[Line, ...]:
        """Return the lines through zero."""
        frame = self.frame(params)
        return zero_lines(frame.x.px(0.0), frame.y.px(0.0))

    def draw_content(self, axes: Axes, case: Case[PoleZeroParams]) -> None:
        """Draw cross, circle and what they mean."""
        params, frame = case.params, self.frame(case.params)
        drawing.draw_symbol(axes, frame.x.px(params.pole_real), frame.y.px(params.pole_imag), "x")
        drawing.draw_symbol(axes, frame.x.px(params.zero_real), frame.y.px(params.zero_imag), "o")
        for x_px, symbol, text in zip(_LEGEND_X_PX, "xo", ("pole", "zero"), strict=True):
            drawing.draw_symbol(axes, x_px, drawing.LEGEND_Y_PX, symbol)
            drawing.write(axes, x_px + _LEGEND_GAP_PX, drawing.LEGEND_Y_PX, text, ha="left")


def _four_fractions(draws: Draws) -> tuple[float, float, float, float]:
    return (
        draws.uniform(0.05, 0.95),
        draws.uniform(0.05, 0.95),
        draws.uniform(0.05, 0.95),
        draws.uniform(0.05, 0.95),
    )


def _distance_px(places: tuple[float, float, float, float]) -> float:
    x_px, y_px = (places[2] - places[0]) * WIDTH_PX, (places[3] - places[1]) * HEIGHT_PX
    return math.hypot(x_px, y_px)


FAMILY = PoleZero()
