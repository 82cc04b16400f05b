"""Output over input voltage of a saturating amplifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import bisect, np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import PlotCase, PlotDraws, StoredParams

__all__ = ["FAMILY", "TransferCharacteristic", "TransferCharacteristicParams"]

_GAIN = (2.0, 3.0, 5.0, 10.0)
_SATURATION_V = (2.0, 3.0, 5.0, 8.0)
_LEAST_INPUT_V = 1.2
_INPUT_RATIO = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferCharacteristicParams:
    """Small-signal gain, saturation and largest input in V, number of points."""

    gain: float
    Vsat: float
    vin_max: float
    n_points: int = 200


class TransferCharacteristic(PlotFamily[TransferCharacteristicParams]):
    """Vout = gain Vin, limited to -Vsat .. Vsat; it saturates at Vin = Vsat / gain."""

    name = "transfer_characteristic"
    params_type = TransferCharacteristicParams
    edge_tag = "no_grid"
    fields = (
        FieldSpec(name="small_signal_gain", unit="unitless", decimals=1),
        FieldSpec(name="saturation_v", unit="V", decimals=1),
        FieldSpec(name="cp_vin_at_saturation", unit="V", decimals=2),
    )
    question_text = (
        "From the transfer characteristic plot, estimate:\n1) small_signal_gain\n2) saturation_v (V)\n"
        "Return numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> TransferCharacteristicParams:
        """Draw gain, then saturation."""
        gain = draws.pick(_GAIN)
        saturation = draws.pick(_SATURATION_V)
        vin_max = max(_LEAST_INPUT_V, _INPUT_RATIO * saturation / gain)
        return TransferCharacteristicParams(gain=gain, Vsat=saturation, vin_max=vin_max)

    def truth(self, params: TransferCharacteristicParams) -> dict[str, float]:
        """Return gain, saturation and the input at which the output saturates."""
        return {
            "small_signal_gain": params.gain,
            "saturation_v": params.Vsat,
            "cp_vin_at_saturation": params.Vsat / params.gain,
        }

    def extent(self, case: PlotCase[TransferCharacteristicParams]) -> Extent:
        """Return the symmetric ranges of input and output."""
        params = case.params
        return Extent.with_nice_steps(
            x=(-params.vin_max, params.vin_max), y=(-params.Vsat, params.Vsat), intervals=(6, 6)
        )

    def draw(self, axes: Axes, case: PlotCase[TransferCharacteristicParams]) -> None:
        """Draw the sampled characteristic, gridded unless edge."""
        params = case.params
        vin = np.linspace(-params.vin_max, params.vin_max, params.n_points)
        marks.curve(axes, vin, np.clip(params.gain * vin, -params.Vsat, params.Vsat), width_pt=1.4)
        marks.name_axes(axes, title="Transfer Characteristic (Saturating Amplifier)", x="Vin (V)", y="Vout (V)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from differences and bisection on the limited line."""

        def output_v(vin: float) -> float:
            return min(p["Vsat"], max(-p["Vsat"], p["gain"] * vin))

        small = 1e-3 * p["vin_max"]
        return {
            "small_signal_gain": (output_v(small) - output_v(-small)) / (2.0 * small),
            "saturation_v": output_v(p["vin_max"]),
            "cp_vin_at_saturation": bisect(lambda vin: p["Vsat"] - output_v(vin), 0.0, p["vin_max"]),
        }


FAMILY = TransferCharacteristic()
