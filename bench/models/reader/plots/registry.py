"""The kinds of plots that can be read, found by the fields that a prompt asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bench.models.reader.plots.families import (
    bandpass_response,
    bode_magnitude,
    bode_phase,
    fft_spectrum,
    iv_diode,
    iv_resistor,
    pole_zero,
    pump_curve,
    sn_curve,
    spectrogram,
    step_response,
    stress_strain,
    time_waveform,
    torque_speed,
    transfer_characteristic,
    v5,
)
from bench.models.reader.plots.readings import CannotReadError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.models.reader.plots.family import OwnUnitFamily, PlotFamily

__all__ = ["FAMILIES", "OWN_UNIT_FAMILIES", "find_family", "find_own_unit_family"]

Family = TypeVar("Family", bound="PlotFamily")

FAMILIES: tuple[PlotFamily, ...] = (
    bandpass_response.FAMILY,
    bode_magnitude.FAMILY,
    bode_phase.FAMILY,
    fft_spectrum.FAMILY,
    iv_diode.FAMILY,
    iv_resistor.FAMILY,
    pole_zero.FAMILY,
    pump_curve.FAMILY,
    sn_curve.FAMILY,
    spectrogram.FAMILY,
    step_response.FAMILY,
    stress_strain.FAMILY,
    time_waveform.FAMILY,
    torque_speed.FAMILY,
    transfer_characteristic.FAMILY,
)


OWN_UNIT_FAMILIES: tuple[OwnUnitFamily, ...] = (
    v5.bandpass_response.FAMILY,
    v5.bode_magnitude.FAMILY,
    v5.bode_phase.FAMILY,
    v5.fft_spectrum.FAMILY,
    v5.iv_diode.FAMILY,
    v5.iv_resistor.FAMILY,
    v5.pole_zero.FAMILY,
    v5.falling_curve.PUMP,
    v5.sn_curve.FAMILY,
    v5.spectrogram.FAMILY,
    v5.step_response.FAMILY,
    v5.stress_strain.FAMILY,
    v5.time_waveform.FAMILY,
    v5.falling_curve.TORQUE,
    v5.transfer_characteristic.FAMILY,
)


def find_family(fields: Sequence[str]) -> PlotFamily:
    """Return the kind of plot that has most of the fields.

    Raises:
        CannotReadError: none has more than half of them, or two have equally many.
    """
    return _nearest(FAMILIES, fields)


def find_own_unit_family(fields: Sequence[str]) -> OwnUnitFamily:
    """Return the same among the kinds whose axes show units of their own.

    Raises:
        CannotReadError: none has more than half of them, or two have equally many.
    """
    return _nearest(OWN_UNIT_FAMILIES, fields)


def _nearest(families: Sequence[Family], fields: Sequence[str]) -> Family:
    shared = {family.name: len(set(fields) & set(family.fields)) for family in families}
    best = max(families, key=lambda family: shared[family.name])
    most = shared[best.name]
    if 2 * most <= len(set(fields)) or sum(count == most for count in shared.values()) > 1:
        raise CannotReadError("the fields asked for belong to no kind of plot that is known")
    return best
