"""Magnitude of a low-pass of any order over frequency."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.numeric import bisect, np
from generators.plotchain.v5 import readings
from generators.plotchain.v5.axes import FREQUENCY, WIDTH_PX, AxisLabel, PlotParams, in_base_unit
from generators.plotchain.v5.drawing import MarkDot, horizontal, vertical
from generators.plotchain.v5.plot import CurvePlot, asked

if TYPE_CHECKING:
    from generators.plotchain.family import PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray
    from generators.plotchain.v5.drawing import Mark, MarkLine

__all__ = ["FAMILY", "BodeMagnitude", "BodeMagnitudeParams"]

_HALF_POWER_DB: Final = 10.0 * math.log10(2.0)
_TRIES = 40
_LEAST_DROP_DB = 4.0
_DECADES = (1.0, 6.0)
_LEAST_RUN_PX = 70.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BodeMagnitudeParams(PlotParams):
    """Corner and both marked frequencies in the axis unit, order (slope / 20 dB), level of the flat part in dB."""

    frequency_unit: str
    order: float
    gain_db: float
    fc: float
    f_p: float
    f_r: float


class BodeMagnitude(CurvePlot[BodeMagnitudeParams]):
    """|H(f)|^2 = gain^2 / (1 + (f/fc)^(2 a)), the Butterworth form with any real order a: 3.01 dB down at fc."""

    name = "bode_magnitude"
    params_type = BodeMagnitudeParams
    title = "Bode magnitude"
    log_x = True
    has_curve_b = True
    fields = (
        asked("dc_gain_db", "dB", "level of the dashed line, the gain towards zero frequency"),
        asked("cutoff_hz", "Hz", "frequency where the curve lies 3.01 dB below that level"),
        asked("cp_mag_at_fc_db", "dB", "level of the curve at that frequency"),
        asked(
            "cp_slope_db_per_decade",
            "dB/dec",
            "mean slope of the curve between the dotted lines P and R, in dB per decade, with its sign",
        ),
    )
    about = "the magnitude of a low-pass over a logarithmic frequency axis"

    def attempt(self, draws: PlotDraws) -> BodeMagnitudeParams | None:
        """Draw the order, then try the rest with it for a while."""
        order = draws.log_uniform(0.4, 6.0)
        tries = (_with_order(draws, order) for _ in range(_TRIES))
        return next((params for params in tries if params is not None), None)

    def labels(self, params: BodeMagnitudeParams) -> tuple[AxisLabel, AxisLabel]:
        """Return logarithmic frequency and dB."""
        return AxisLabel("Frequency", params.frequency_unit, FREQUENCY), AxisLabel("Magnitude", "dB")

    def curve_px(self, params: BodeMagnitudeParams, x_px: FloatArray) -> FloatArray:
        """Return the level."""
        frame = self.frame(params)
        power = np.power(frame.x.values(x_px) / params.fc, 2.0 * params.order)
        return frame.y.pixels(params.gain_db - 10.0 * np.log10(1.0 + power))

    def readings(self, params: BodeMagnitudeParams) -> dict[str, readings.ExactReading]:
        """Return the flat level, the corner, its level, and the slope between the marks."""
        frame = self.frame(params)
        steepness = self.steepness_px(params, params.fc)
        places = np.array([frame.x.px(params.f_p), frame.x.px(params.f_r)])
        top_px, end_px = self.curve_px(params, places)
        rise_px, run_px = float(top_px - end_px), float(places[1] - places[0])
        return {
            "dc_gain_db": readings.level(frame.y, params.gain_db),
            "cutoff_hz": readings.crossing(frame.x, params.fc, slope_px=steepness, levels=(1.0,)),
            "cp_mag_at_fc_db": readings.level(frame.y, params.gain_db - _HALF_POWER_DB),
            "cp_slope_db_per_decade": readings.slope(
                -rise_px * frame.y.per_px / (run_px * frame.x.per_px), rise_px=rise_px, run_px=run_px
            ),
        }

    def marks(self, params: BodeMagnitudeParams) -> tuple[MarkLine, ...]:
        """Return the flat level and the two frequencies between which the slope is asked for."""
        frame = self.frame(params)
        return (
            horizontal(frame.y.px(params.gain_db), "dashed"),
            vertical(frame.x.px(params.f_p), letter="P"),
            vertical(frame.x.px(params.f_r), letter="R"),
        )

    def helpers(self, params: BodeMagnitudeParams) -> tuple[Mark, ...]:
        """Return a dot at the corner."""
        frame = self.frame(params)
        return (MarkDot(x_px=frame.x.px(params.fc), y_px=frame.y.px(params.gain_db - _HALF_POWER_DB)),)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields by bisection for half power, and levels far apart."""

        def level_db(frequency: float) -> float:
            return p["gain_db"] - 10.0 * math.log10(
                1.0 + math.exp(2.0 * p["order"] * math.log(frequency / p["fc"]))
            )

        flat = level_db(1e-60)
        half_power = 10.0 * math.log10(0.5)
        corner = bisect(lambda f: level_db(f) - flat - half_power, p["x_min"], p["x_max"])
        return {
            "dc_gain_db": flat,
            "cutoff_hz": corner * in_base_unit(FREQUENCY, p.text("frequency_unit")),
            "cp_mag_at_fc_db": level_db(corner),
            "cp_slope_db_per_decade": (level_db(p["f_r"]) - level_db(p["f_p"])) / math.log10(p["f_r"] / p["f_p"]),
        }


def _with_order(draws: PlotDraws, order: float) -> BodeMagnitudeParams | None:
    """Draw the rest; None where the drop to P is slight, the axis too long or too short, or P and R too close."""
    unit = draws.pick(tuple(FREQUENCY))
    gain_db, margin = draws.uniform(-40.0, 60.0), draws.uniform(0.08, 0.3)
    span_db = order * draws.uniform(10.0, 22.0) + 6.0
    corner_at = draws.uniform(0.15, 0.55)
    end_at = draws.uniform(corner_at + 0.3, 0.95)
    fc = 10.0 ** draws.uniform(0.3, 3.3)
    below_db = span_db * (1.0 - margin)
    drop_p, drop_r = draws.uniform(0.3, 0.45) * below_db, draws.uniform(0.75, 0.95) * below_db
    f_p, f_r = (fc * (10.0 ** (drop / 10.0) - 1.0) ** (0.5 / order) for drop in (drop_p, drop_r))
    decades = math.log10(f_r / fc) / (end_at - corner_at)
    run_px = math.log10(f_r / f_p) / decades * WIDTH_PX
    if drop_p < _LEAST_DROP_DB or not _DECADES[0] <= decades <= _DECADES[1] or run_px < _LEAST_RUN_PX:
        return None
    first = math.log10(fc) - corner_at * decades
    return BodeMagnitudeParams(
        **PlotParams.limits(
            (10.0**first, 10.0 ** (first + decades)), (gain_db - below_db, gain_db - below_db + span_db)
        ),
        frequency_unit=unit,
        order=order,
        gain_db=gain_db,
        fc=fc,
        f_p=f_p,
        f_r=f_r,
    )


FAMILY = BodeMagnitude()
