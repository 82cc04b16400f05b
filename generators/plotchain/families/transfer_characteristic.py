"""Output over input voltage of a saturating amplifier."""

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


class TransferCharacteristic(Family[TransferCharacteristicParams]):
    """Vout = gain Vin, limited to -Vsat .. Vsat; it saturates at Vin = Vsat / gain."""

    name = "transfer_characteristic"
    params_type = TransferCharacteristicParams
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {"edge": "no_grid"}
    fields = (
        FieldSpec(name="small_signal_gain", unit="unitless", decimals=1),
        FieldSpec(name="saturation_v", unit="V", decimals=1),
        FieldSpec(name="cp_vin_at_saturation", unit="V", decimals=2),
    )
    question_text = (
        "From the transfer characteristic plot, estimate:\n1) small_signal_gain\n2) saturation_v (V)\n"
        "Return numeric JSON."
    )

    def sample(self, draws: Draws) -> TransferCharacteristicParams:
        """Draw gain, then saturation."""
        gain = draws.pick(_GAIN)
        saturation = draws.pick(_SATURATION_V)
        vin_max = max(_LEAST_INPUT_V, _INPUT_RATIO * saturation / gain)
        return TransferCharacteristicParams(gain=gain, Vsat=saturation, vin_max=vin_max)

    def truth(self, params: TransferCharacteristicParams) -> Mapping[str, float]:
        """Return gain, saturation and the input at which the output saturates."""
        return {
            "small_signal_gain": params.gain,
            "saturation_v": params.Vsat,
            "cp_vin_at_saturation": params.Vsat / params.gain,
        }

    def extent(self, case: Case[TransferCharacteristicParams]) -> Extent:
        """Return the symmetric ranges of input and output."""
        params = case.params
        return Extent(
            x_min=-params.vin_max,
            x_max=params.vin_max,
            y_min=-params.Vsat,
            y_max=params.Vsat,
            tick_step_x=nice_step(2.0 * params.vin_max, 6),
            tick_step_y=nice_step(2.0 * params.Vsat, 6),
        )

    def draw(self, axes: Axes, case: Case[TransferCharacteristicParams]) -> None:
        """Draw the sampled characteristic, gridded unless edge."""
        params = case.params
        vin = np.linspace(-params.vin_max, params.vin_max, params.n_points)
        marks.curve(axes, vin, np.clip(params.gain * vin, -params.Vsat, params.Vsat), width_pt=1.4)
        marks.name_axes(axes, title="Transfer Characteristic (Saturating Amplifier)", x="Vin (V)", y="Vout (V)")
        if case.difficulty != "edge":
            marks.grid(axes, alpha=0.35)


FAMILY = TransferCharacteristic()
