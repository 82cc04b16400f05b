"""Saturating amplifier: gain between two flat levels, with noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.reader.plots.families.transfer_characteristic import read_knees

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot
    from bench.models.reader.plots.readings import FieldReading

__all__ = ["FAMILY", "TransferCharacteristic"]


class TransferCharacteristic:
    """Two levels and the straight line between them, rising or falling."""

    name = "transfer_characteristic"
    axes = ("V", "V")
    fields = ("small_signal_gain", "saturation_v", "cp_vin_at_saturation")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit three straight pieces with free knees to the band's centre."""
        return read_knees(plot, plot.band.points)


FAMILY = TransferCharacteristic()
