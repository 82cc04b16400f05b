"""Stress over strain of a ductile metal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import STRAIN, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import zero_lines
from generators.plotchain.v5.plot import CurvePlot, asked
from generators.plotchain.v5.readings import half_width_px

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import MarkLine

__all__ = ["FAMILY", "StressStrain", "StressStrainParams"]

_ROUNDING = 1.3
_LEAST_HARDENING = 0.15
_LEAST_KNEE = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StressStrainParams(PlotParams):
    """Stresses in MPa, strains in the axis unit, at yield, ultimate and fracture."""

    strain_unit: str
    yield_strain: float
    ultimate_strain: float
    fracture_strain: float
    yield_mpa: float
    ultimate_mpa: float
    fracture_mpa: float


class StressStrain(CurvePlot[StressStrainParams]):
    """Straight to yield, then a rounded rise to the ultimate stress and a rounded fall to fracture.

    Both rounded parts leave the ultimate stress as v^1.3, v their share of strain from there.
    """

    name = "stress_strain"
    params_type = StressStrainParams
    title = "Stress–strain curve"
    about = "the stress in a tensile test over strain, up to fracture"
    has_curve_b = True
    zeros_meet = (True, True)
    fields = (
        asked("yield_strength_mpa", "MPa", "stress at the knee where the straight elastic part ends"),
        asked("uts_mpa", "MPa", "ultimate tensile strength: the highest stress"),
        asked("fracture_strain", "unitless", "strain at which the curve ends, as a plain number (0.01 for 1 %)"),
        asked("cp_yield_strain", "unitless", "strain at that knee, as a plain number"),
        asked("cp_uts_strain", "unitless", "strain at the highest stress, as a plain number"),
    )

    def attempt(self, draws: PlotDraws) -> StressStrainParams | None:
        """Draw unit, both sizes, the places of fracture and origin, then yield, ultimate and fracture."""
        unit = draws.pick(tuple(STRAIN))
        fracture = draws.log_uniform(0.02, 2.0) / STRAIN[unit]
        ultimate_mpa = draws.log_uniform(5.0, 2000.0)
        fracture_at, left = draws.uniform(0.68, 0.96), draws.uniform(0.015, 0.06)
        yield_strain, ultimate = draws.uniform(0.1, 0.3) * fracture, draws.uniform(0.45, 0.88) * fracture
        ultimate_at, bottom = draws.uniform(0.72, 0.93), draws.uniform(0.02, 0.06)
        yield_mpa, fracture_mpa = (
            draws.uniform(0.45, 0.82) * ultimate_mpa,
            draws.uniform(0.65, 0.92) * ultimate_mpa,
        )
        hardening = _ROUNDING * (ultimate_mpa - yield_mpa) / (ultimate - yield_strain)
        if (
            ultimate - yield_strain < _LEAST_HARDENING * fracture
            or yield_mpa / yield_strain < _LEAST_KNEE * hardening
        ):
            return None
        width, height = fracture / (fracture_at - left), ultimate_mpa / (ultimate_at - bottom)
        return StressStrainParams(
            **PlotParams.limits(
                (-left * width, (1.0 - left) * width), (-bottom * height, (1.0 - bottom) * height)
            ),
            strain_unit=unit,
            yield_strain=yield_strain,
            ultimate_strain=ultimate,
            fracture_strain=fracture,
            yield_mpa=yield_mpa,
            ultimate_mpa=ultimate_mpa,
            fracture_mpa=fracture_mpa,
        )

    def labels(self, params: StressStrainParams) -> tuple[AxisLabel, AxisLabel]:
        """Return strain and stress."""
        return AxisLabel("Strain", params.strain_unit, STRAIN), AxisLabel("Stress", "MPa")

    def ends_px(self, params: StressStrainParams) -> tuple[float, float]:
        """Return origin and fracture."""
        x = self.frame(params).x
        return x.px(0.0), x.px(params.fracture_strain)

    def curve_px(self, params: StressStrainParams, x_px: FloatArray) -> FloatArray:
        """Return the stress."""
        frame = self.frame(params)
        strain = frame.x.values(x_px)
        rising = _share_left(strain, params.ultimate_strain, params.yield_strain)
        falling = _share_left(strain, params.ultimate_strain, params.fracture_strain)
        plastic = (
            params.ultimate_mpa
            - (params.ultimate_mpa - params.yield_mpa) * np.power(rising, _ROUNDING)
            - (params.ultimate_mpa - params.fracture_mpa) * np.power(falling, _ROUNDING)
        )
        elastic = params.yield_mpa * strain / params.yield_strain
        return frame.y.pixels(np.where(strain < params.yield_strain, elastic, plastic))

    def readings(self, params: StressStrainParams) -> dict[str, readings.ExactReading]:
        """Return yield and ultimate stress, and the three strains."""
        frame = self.frame(params)
        yield_px, top_px, end_px = (
            frame.x.px(strain) for strain in (params.yield_strain, params.ultimate_strain, params.fracture_strain)
        )
        width = half_width_px(lambda x_px: self.curve_px(params, x_px), top_px, left_px=yield_px, right_px=end_px)
        return {
            "yield_strength_mpa": readings.level(frame.y, params.yield_mpa),
            "uts_mpa": readings.level(frame.y, params.ultimate_mpa),
            "fracture_strain": readings.level(frame.x, params.fracture_strain),
            "cp_yield_strain": readings.level(frame.x, params.yield_strain),
            "cp_uts_strain": readings.extremum(frame.x, params.ultimate_strain, half_width_px=width),
        }

    def marks(self, params: StressStrainParams) -> tuple[MarkLine, ...]:
        """Return the lines through zero."""
        return zero_lines(self.frame(params))

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection for the knee and the top of the curve."""
        plain = in_base_unit(STRAIN, p.text("strain_unit"))
        modulus = p["yield_mpa"] / p["yield_strain"]

        def stress(strain: float) -> float:
            if strain <= p["yield_strain"]:
                return modulus * strain
            top, end = (
                p["ultimate_strain"],
                p["yield_strain"] if strain < p["ultimate_strain"] else p["fracture_strain"],
            )
            lost = p["ultimate_mpa"] - (p["yield_mpa"] if strain < top else p["fracture_mpa"])
            return p["ultimate_mpa"] - lost * math.pow((strain - top) / (end - top), 1.3)

        # Yield is where the curve leaves its first straight line; ultimate is where its secant turns downwards.
        step = 1e-9 * p["fracture_strain"]
        knee = bisect(lambda e: modulus * e - stress(e) - modulus * step, step, p["ultimate_strain"])
        top = bisect(lambda e: stress(e + step) - stress(e - step), knee + step, p["fracture_strain"] - step)
        return {
            "yield_strength_mpa": stress(knee),
            "uts_mpa": stress(top),
            "fracture_strain": p["fracture_strain"] * plain,
            "cp_yield_strain": knee * plain,
            "cp_uts_strain": top * plain,
        }


def _share_left(strain: FloatArray, top: float, end: float) -> FloatArray:
    """Return 0 at the top, 1 at `end`, and 0 on the other side of the top."""
    return np.clip((strain - top) / (end - top), 0.0, 1.0)


FAMILY = StressStrain()
