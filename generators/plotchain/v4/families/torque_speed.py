"""Torque over speed of a motor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams

__all__ = ["FAMILY", "TorqueSpeed", "TorqueSpeedParams"]

_NO_LOAD_RPM = (1000.0, 1200.0, 1500.0, 1800.0, 2000.0, 2200.0, 2500.0, 2800.0, 3000.0)
_STALL_NM = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
_SAMPLES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueSpeedParams:
    """No-load and marked speed in rpm, stall torque in N m, whether a grid is drawn."""

    no_load_speed_rpm: float
    stall_torque_nm: float
    speed_q_rpm: float
    grid: bool


class TorqueSpeed(PlotFamily[TorqueSpeedParams]):
    """T(n) = T_stall (1 - n / n0), the straight line of a DC motor at fixed voltage."""

    name = "torque_speed"
    params_type = TorqueSpeedParams
    edge_tag = "no_grid"
    fields = (
        FieldSpec(name="stall_torque_nm", unit="N·m", decimals=1),
        FieldSpec(name="no_load_speed_rpm", unit="rpm", decimals=0),
        FieldSpec(name="cp_torque_at_speed_q_nm", unit="N·m", decimals=None),
    )
    question_text = (
        "From the torque-speed curve, estimate:\n1) stall_torque_nm (N·m)\n2) no_load_speed_rpm (rpm)\n"
        "Return numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> TorqueSpeedParams:
        """Draw no-load speed, then stall torque; the marked speed is 60 %, to full hundreds."""
        no_load = draws.pick(_NO_LOAD_RPM)
        stall = draws.pick(_STALL_NM)
        return TorqueSpeedParams(
            no_load_speed_rpm=no_load,
            stall_torque_nm=stall,
            speed_q_rpm=round(0.6 * no_load / 100.0) * 100.0,
            grid=draws.difficulty != "edge",
        )

    def truth(self, params: TorqueSpeedParams) -> dict[str, float]:
        """Return both ends of the line and the torque at the marked speed."""
        return {
            "stall_torque_nm": params.stall_torque_nm,
            "no_load_speed_rpm": params.no_load_speed_rpm,
            "cp_torque_at_speed_q_nm": _torque_at_mark_nm(params),
        }

    def extent(self, case: PlotCase[TorqueSpeedParams]) -> Extent:
        """Return the drawn limits and tick steps."""
        return Extent.of(
            x=(0.0, 1.05 * case.params.no_load_speed_rpm),
            y=(0.0, 1.2 * case.params.stall_torque_nm),
            steps=(500.0, 2.0),
        )

    def draw(self, axes: Axes, case: PlotCase[TorqueSpeedParams]) -> None:
        """Draw the line and the unlabelled dot at the marked speed, gridded unless edge."""
        params = case.params
        speed = np.linspace(0.0, params.no_load_speed_rpm, _SAMPLES)
        marks.curve(axes, speed, params.stall_torque_nm * (1.0 - speed / params.no_load_speed_rpm), width_pt=1.6)
        marks.dot(axes, params.speed_q_rpm, _torque_at_mark_nm(params))
        marks.frame(axes, self.extent(case))
        marks.name_axes(axes, title="Torque–Speed Curve", x="Speed (rpm)", y="Torque (N·m)")
        if params.grid:
            marks.grid(axes)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the polynomial and its root."""
        slope = -p["stall_torque_nm"] / p["no_load_speed_rpm"]
        line = np.polynomial.Polynomial([p["stall_torque_nm"], slope])
        return {
            "stall_torque_nm": float(line(0.0)),
            "no_load_speed_rpm": float(line.roots()[0]),
            "cp_torque_at_speed_q_nm": float(line(p["speed_q_rpm"])),
        }


def _torque_at_mark_nm(params: TorqueSpeedParams) -> float:
    return params.stall_torque_nm * (1.0 - params.speed_q_rpm / params.no_load_speed_rpm)


FAMILY = TorqueSpeed()
