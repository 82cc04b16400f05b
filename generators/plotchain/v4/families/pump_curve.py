"""Head over flow of a centrifugal pump."""

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

__all__ = ["FAMILY", "PumpCurve", "PumpCurveParams"]

_SHUTOFF_HEAD_M = (35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0)
_HALF_HEAD_FLOW_M3H = (25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0)
_SAMPLES = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class PumpCurveParams:
    """Shut-off head in m, flows at half head, zero head and the mark in m3/h, `a` in m/(m3/h)^2."""

    shutoff_head_m: float
    q_at_half_head_m3h: float
    q_zero_head_m3h: float
    q_op_m3h: float
    a: float
    grid: bool


class PumpCurve(PlotFamily[PumpCurveParams]):
    """H(Q) = H0 - a Q^2, the usual quadratic fit of a pump curve."""

    name = "pump_curve"
    params_type = PumpCurveParams
    edge_tag = "no_grid"
    fields = (
        FieldSpec(name="head_at_qop_m", unit="m", decimals=1),
        FieldSpec(name="q_at_half_head_m3h", unit="m³/h", decimals=0),
        FieldSpec(name="cp_shutoff_head_m", unit="m", decimals=None),
        FieldSpec(name="cp_qmax_m3h", unit="m³/h", decimals=None),
    )
    question_text = (
        "From the pump curve (head vs flow), estimate:\n1) head_at_qop_m (m) at the operating point\n"
        "2) q_at_half_head_m3h (m³/h) flow at half shutoff head\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> PumpCurveParams:
        """Draw shut-off head, then flow at half head; the mark stands at half that flow."""
        head = draws.pick(_SHUTOFF_HEAD_M)
        flow = draws.pick(_HALF_HEAD_FLOW_M3H)
        a = (head / 2.0) / flow**2
        return PumpCurveParams(
            shutoff_head_m=head,
            q_at_half_head_m3h=flow,
            q_zero_head_m3h=math.sqrt(head / a),
            q_op_m3h=0.5 * flow,
            a=a,
            grid=draws.difficulty != "edge",
        )

    def truth(self, params: PumpCurveParams) -> dict[str, float]:
        """Return the marked head, the flow at half head and both ends of the curve."""
        return {
            "head_at_qop_m": _head_at_mark_m(params),
            "q_at_half_head_m3h": params.q_at_half_head_m3h,
            "cp_shutoff_head_m": params.shutoff_head_m,
            "cp_qmax_m3h": params.q_zero_head_m3h,
        }

    def extent(self, case: PlotCase[PumpCurveParams]) -> Extent:
        """Return the drawn limits and tick steps."""
        return Extent.of(
            x=(0.0, 1.05 * case.params.q_zero_head_m3h),
            y=(0.0, 1.1 * case.params.shutoff_head_m),
            steps=(10.0, 5.0),
        )

    def draw(self, axes: Axes, case: PlotCase[PumpCurveParams]) -> None:
        """Draw the curve and the unlabelled dot at the marked flow, gridded unless edge."""
        params = case.params
        flow = np.linspace(0.0, params.q_zero_head_m3h, _SAMPLES)
        marks.curve(axes, flow, params.shutoff_head_m - params.a * flow**2, width_pt=1.6)
        marks.dot(axes, params.q_op_m3h, _head_at_mark_m(params))
        marks.frame(axes, self.extent(case))
        marks.name_axes(axes, title="Pump Curve (Head vs Flow)", x="Flow Q (m³/h)", y="Head H (m)")
        if params.grid:
            marks.grid(axes)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the polynomial and its roots."""
        curve = np.polynomial.Polynomial([p["shutoff_head_m"], 0.0, -p["a"]])
        half = curve - 0.5 * p["shutoff_head_m"]
        return {
            "head_at_qop_m": float(curve(p["q_op_m3h"])),
            "q_at_half_head_m3h": float(half.roots().max()),
            "cp_shutoff_head_m": float(curve(0.0)),
            "cp_qmax_m3h": float(curve.roots().max()),
        }


def _head_at_mark_m(params: PumpCurveParams) -> float:
    return params.shutoff_head_m - params.a * params.q_op_m3h**2


FAMILY = PumpCurve()
