"""Second-order bandpass: resonance, half-power points and quality factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.models.reader.plots.families.bandpass_response import read_resonance

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.reader.plots.plot import Plot
    from bench.models.reader.plots.readings import FieldReading

__all__ = ["FAMILY", "BandpassResponse"]


class BandpassResponse:
    """Magnitude in dB over frequency, with one resonance; dots may hide the half-power points."""

    name = "bandpass_response"
    axes = ("Hz", "dB")
    fields = ("resonance_hz", "bandwidth_hz", "cp_f1_3db_hz", "cp_f2_3db_hz", "cp_q_factor")

    def read(self, plot: Plot, prompt: str) -> Mapping[str, FieldReading]:  # noqa: ARG002
        """Fit gain, resonance and quality factor to the whole curve."""
        return read_resonance(plot, plot.band.points)


FAMILY = BandpassResponse()
