"""Head over flow of a centrifugal pump."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from generators.plotchain import marks
from generators.plotchain.family import Case, Difficulty, Extent, Family, FieldSpec
from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.draws import Draws

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


class PumpCurve(Family[PumpCurveParams]):
    """H(Q) = H0 - a Q^2, the usual quadratic fit of a pump curve."""

    name = "pump_curve"
    params_type = PumpCurveParams
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {"edge": "no_grid"}
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

    def sample(self, draws: Draws) -> PumpCurveParams:
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

    def truth(self, params: PumpCurveParams) -> Mapping[str, float]:
        """Return the marked head, the flow at half head and both ends of the curve."""
        return {
            "head_at_qop_m": _head_at_mark_m(params),
            "q_at_half_head_m3h": params.q_at_half_head_m3h,
            "cp_shutoff_head_m": params.shutoff_head_m,
            "cp_qmax_m3h": params.q_zero_head_m3h,
        }

    def extent(self, case: Case[PumpCurveParams]) -> Extent:
        """Return the drawn limits and tick steps."""
        return Extent(
            x_min=0.0,
            x_max=1.05 * case.params.q_zero_head_m3h,
            y_min=0.0,
            y_max=1.1 * case.params.shutoff_head_m,
            tick_step_x=10.0,
            tick_step_y=5.0,
        )

    def draw(self, axes: Axes, case: Case[PumpCurveParams]) -> None:
        """Draw the curve and the unlabelled dot at the marked flow, gridded unless edge."""
        params = case.params
        flow = np.linspace(0.0, params.q_zero_head_m3h, _SAMPLES)
        marks.curve(axes, flow, params.shutoff_head_m - params.a * flow**2, width_pt=1.6)
        marks.dot(axes, params.q_op_m3h, _head_at_mark_m(params))
        marks.frame(axes, self.extent(case))
        marks.name_axes(axes, title="Pump Curve (Head vs Flow)", x="Flow Q (m³/h)", y="Head H (m)")
        if params.grid:
            marks.grid(axes)


def _head_at_mark_m(params: PumpCurveParams) -> float:
    return params.shutoff_head_m - params.a * params.q_op_m3h**2


FAMILY = PumpCurve()
