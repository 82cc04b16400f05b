"""Which places on a plot a field is read from, and how many pixels its tolerance leaves for each.

A field's value is a formula of readings: values read off an axis, each at a place in pixels. Two figures say how
fine the reading must be, both for an answer that still passes:

* `one`: by how many pixels the most sensitive reading may be off when all others are exact;
* `all`: by how many pixels every reading may be off at once, each in its worst direction.

Of edition v5 the edition itself says what each field is read from, in v4 a table here does: a crossing is read
along x, and the level that it crosses along y: an error of the level moves the crossing by the curve's slope.
Helper lines, which clean and moderate pictures show, are not counted on. Values are those of the curve, before
rounding.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from generators.plotchain.pictures import AxisName, DrawnAxes, DrawnAxis
from generators.plotchain.v5 import axes as units
from generators.plotchain.v5.plot import V5Plot

if TYPE_CHECKING:
    from generators.plotchain.family import PlotFamily
    from generators.plotchain.v5.readings import ExactReading as OwnReading

__all__ = [
    "V4_READINGS",
    "AxisReading",
    "FieldFormula",
    "PixelTolerance",
    "passes_at",
    "pixel_figures",
    "pixel_tolerance",
    "v5_axes",
    "v5_pixels",
    "v5_places",
]

MOST_PX = 2000.0
"""No tolerance is given above this: it is wider than any picture."""

_HALVINGS = 30
_PRECISION_PX = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisReading:
    """A value on an axis that must be read; no `is_place` when it only corrects another (a crossing's level)."""

    axis: AxisName
    value: float
    is_place: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFormula:
    """A field's readings, and its value as a formula of what was read (same order).

    The formula may raise ArithmeticError or ValueError where readings make no sense; such an answer fails.
    `is_shape` says that the value is a pure number of the curve's shape, for which the axes do not matter.
    """

    readings: tuple[AxisReading, ...]
    formula: Callable[[Sequence[float]], float]
    is_shape: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelTolerance:
    """Pixels that a passing answer may be off: the most sensitive reading alone, and all readings together."""

    one_px: float
    all_px: float


def pixel_tolerance(field: FieldFormula, axes: DrawnAxes, passes: Callable[[float], bool]) -> PixelTolerance:
    """Find both figures by bisection; formulas are monotone in each reading near the truth, so corners suffice.

    A field whose exact readings do not give a passing answer (its truth is rounded too coarsely) gets 0.

    Args:
        field: the field.
        axes: the drawn axes.
        passes: whether an answer passes.
    """
    places = [axes.named(reading.axis).place_px(reading.value) for reading in field.readings]

    def holds(shifts: Sequence[float]) -> bool:
        shifted = [place + shift for place, shift in zip(places, shifts, strict=True)]
        return passes_at(field, [axes] * len(shifted), shifted, passes)

    count = len(places)
    alone = [
        [sign if place == moved else 0.0 for place in range(count)]
        for moved in range(count)
        for sign in (-1.0, 1.0)
    ]
    together = [list(signs) for signs in itertools.product((-1.0, 1.0), repeat=count)]
    return PixelTolerance(
        one_px=min(_widest(holds, direction) for direction in alone),
        all_px=min(_widest(holds, direction) for direction in together),
    )


def pixel_figures(found: Sequence[PixelTolerance]) -> dict[str, Any]:
    """Return what a field's row in the report says of its items' tolerances; nothing where there are none."""
    if not found:
        return {}
    one, together = [pixels.one_px for pixels in found], [pixels.all_px for pixels in found]
    return {
        "one_px_smallest": min(one),
        "one_px_median": statistics.median(one),
        "all_px_smallest": min(together),
        "all_px_median": statistics.median(together),
        "below_1_px": sum(pixels < 1 for pixels in together),
        "below_2_px": sum(pixels < 2 for pixels in together),  # noqa: PLR2004
    }


def passes_at(
    field: FieldFormula,
    axes: Sequence[DrawnAxes],
    places_px: Sequence[float],
    passes: Callable[[float], bool],
) -> bool:
    """Whether readings at these places, each on axes of its own, give a passing answer."""
    values = [
        on.named(reading.axis).value_at(place)
        for reading, on, place in zip(field.readings, axes, places_px, strict=True)
    ]
    try:
        answer = field.formula(values)
    except (ArithmeticError, ValueError):
        return False
    return math.isfinite(answer) and passes(answer)


def _widest(holds: Callable[[Sequence[float]], bool], direction: Sequence[float]) -> float:
    """Return the largest step along a direction up to which every answer passes, to a thousandth of a pixel."""
    if not holds([0.0] * len(direction)):
        return 0.0
    low, high = 0.0, 0.25
    while holds([high * part for part in direction]):
        low, high = high, 2 * high
        if high > MOST_PX:
            return MOST_PX
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds([middle * part for part in direction]) else (low, middle)
        if high - low < _PRECISION_PX:
            break
    return low


_AT_ONE_PLACE = frozenset({"level", "level at a mark", "crossing", "extremum"})
_STRICT_SHARE = 0.5
_SAME = 1e-9
_UNITS: Mapping[str, float] = {
    symbol: size
    for table in (
        *(units.TIME, units.FREQUENCY, units.VOLTAGE, units.WAVE_VOLTAGE),
        *(units.CURRENT, units.TORQUE, units.POLE, units.STRAIN),
    )
    for symbol, size in table.items()
}


def v5_axes(family: PlotFamily[Any], params: Any) -> DrawnAxes:  # noqa: ANN401
    """Return the axes: this edition draws in pixels, and labels them itself."""
    frame = _plot(family).frame(params)
    x, y = (
        DrawnAxis(low=axis.low, high=axis.high, length_px=axis.length_px, is_log=axis.is_log)
        for axis in (frame.x, frame.y)
    )
    return DrawnAxes(x=x, y=y)


def v5_pixels(family: PlotFamily[Any], params: Any, policy: str) -> dict[str, PixelTolerance]:  # noqa: ANN401
    """Return each field's tolerance in pixels, as the edition's own sensitivities give it."""
    share = _STRICT_SHARE if policy == "strict" else 1.0
    return {
        name: PixelTolerance(one_px=share * reading.lone_px, all_px=share * reading.joint_px)
        for name, reading in _plot(family).readings(params).items()
    }


def v5_places(family: PlotFamily[Any], params: Any) -> dict[str, FieldFormula]:  # noqa: ANN401
    """Return the reading of each field that is one place on one axis; the others have none."""
    frame = _plot(family).frame(params)
    found = {}
    for name, reading in _plot(family).readings(params).items():
        for axis_name in get_args(AxisName):
            axis = frame.x if axis_name == "x" else frame.y
            base = _UNITS.get(axis.name.unit, 1.0)
            if _is_on(reading, axis.per_px if axis.is_log else axis.per_px * base, is_log=axis.is_log):
                found[name] = _scaled(axis_name, reading.value / base, base)
    return found


def _plot(family: PlotFamily[Any]) -> V5Plot[Any]:
    if not isinstance(family, V5Plot):
        raise TypeError(f"expected a family of edition v5, got {family.name!r}")
    return family


def _is_on(reading: OwnReading, per_px: float, *, is_log: bool) -> bool:
    """Whether a reading is one place on the axis that has this much a pixel: its first sensitivity is that."""
    return (
        reading.kind in _AT_ONE_PLACE
        and reading.in_decades == is_log
        and math.isclose(reading.sensitivities[0], per_px, rel_tol=_SAME)
    )


Params = Any
Fields = Mapping[str, FieldFormula]

_HALF_POWER_DB = 10 * math.log10(2)
_RATED_CYCLES = 1e5
_DEGREES_A_DECADE_AT_CORNER = -math.degrees(0.5) * math.log(10)
_DB_A_DECADE_AT_CORNER = -10.0


def _on(axis: AxisName, *values: float, is_place: bool = True) -> tuple[AxisReading, ...]:
    return tuple(AxisReading(axis=axis, value=value, is_place=is_place) for value in values)


def _scaled(axis: AxisName, value: float, times: float = 1.0) -> FieldFormula:
    return FieldFormula(readings=_on(axis, value), formula=lambda read: times * read[0])


_x, _y = partial(_scaled, "x"), partial(_scaled, "y")


def _length(
    axis: AxisName, first: float, second: float, formula: Callable[[float], float] = lambda length: length
) -> FieldFormula:
    return FieldFormula(readings=_on(axis, first, second), formula=lambda read: formula(read[1] - read[0]))


def _crossing(x: float, level: float, *, slope: float) -> FieldFormula:
    """`slope` is the curve's, in y units an x unit."""
    readings = (*_on("x", x), *_on("y", level, is_place=False))
    return FieldFormula(readings=readings, formula=lambda read: read[0] + (read[1] - level) / slope)


def _log_crossing(x: float, level: float, *, slope: float) -> FieldFormula:
    """`slope` is the curve's, in y units a decade."""
    readings = (*_on("x", x), *_on("y", level, is_place=False))
    return FieldFormula(readings=readings, formula=lambda read: read[0] * 10 ** ((read[1] - level) / slope))


def _bandpass(params: Params) -> Fields:
    f0, quality = params.f0_hz, params.Q
    centre, half = math.sqrt(1 + 1 / (4 * quality**2)), 1 / (2 * quality)
    lower, upper, level = f0 * (centre - half), f0 * (centre + half), -_HALF_POWER_DB
    # d(-10 log10(1 + u^2)) at u = Q (r - 1/r) = -+1, r = f/f0, over d log10 r = dr / (r ln 10).
    slopes = {
        edge: -10 * math.copysign(1, edge - f0) * quality * (edge / f0 + f0 / edge) for edge in (lower, upper)
    }

    def bandwidth(read: Any) -> Any:  # noqa: ANN401
        shift = read[2] - level
        return read[1] * 10 ** (shift / slopes[upper]) - read[0] * 10 ** (shift / slopes[lower])

    readings = (*_on("x", lower, upper), *_on("y", level, is_place=False))
    return {
        "resonance_hz": _x(f0),
        "cp_f1_3db_hz": _log_crossing(lower, level, slope=slopes[lower]),
        "cp_f2_3db_hz": _log_crossing(upper, level, slope=slopes[upper]),
        "bandwidth_hz": FieldFormula(readings=readings, formula=bandwidth),
        "cp_q_factor": FieldFormula(
            readings=(*readings, *_on("x", f0)), formula=lambda read: read[3] / bandwidth(read), is_shape=True
        ),
    }


def _bode_magnitude(params: Params) -> Fields:
    gain, corner = 20 * math.log10(params.K), params.fc_hz
    level = gain - _HALF_POWER_DB
    ends = (5 * corner, params.fmax_hz)
    heights = (gain - 10 * math.log10(1 + (frequency / corner) ** 2) for frequency in ends)
    return {
        "dc_gain_db": _y(gain),
        "cutoff_hz": _log_crossing(corner, level, slope=_DB_A_DECADE_AT_CORNER),
        "cp_mag_at_fc_db": _y(level),
        "cp_slope_db_per_decade": FieldFormula(
            readings=(*_on("x", *ends), *_on("y", *heights)),
            formula=lambda read: (read[3] - read[2]) / math.log10(read[1] / read[0]),
        ),
    }


def _bode_phase(params: Params) -> Fields:
    corner, marked = params.fc_hz, params.fq_hz
    ratio = marked / corner
    slope = -math.degrees(ratio / (1 + ratio**2)) * math.log(10)
    return {
        "cutoff_hz": _log_crossing(corner, -45.0, slope=_DEGREES_A_DECADE_AT_CORNER),
        "phase_deg_at_fq": FieldFormula(
            readings=(*_on("y", -math.degrees(math.atan(ratio))), *_on("x", marked, is_place=False)),
            formula=lambda read: read[0] + slope * math.log10(read[1] / marked),
        ),
        "cp_phase_deg_at_fc": _y(-45.0),
    }


def _fft(params: Params) -> Fields:
    drop_db = 20 * math.log10(params.a1 / params.a2)
    return {
        "dominant_frequency_hz": _x(params.f1_hz),
        "secondary_frequency_hz": _x(params.f2_hz),
        "cp_peak_ratio": _length("y", -drop_db, 0.0, lambda drop: 10 ** (drop / 20)),
    }


def _iv_diode(params: Params) -> Fields:
    target = params.target_current_a
    voltage = params.Vt + params.k * math.log(target / params.I0)
    return {
        "target_current_a": _y(target),
        "turn_on_voltage_v_at_target_i": FieldFormula(
            readings=(*_on("x", voltage), *_on("y", target, is_place=False)),
            formula=lambda read: read[0] + params.k * math.log(read[1] / target),
        ),
    }


def _iv_resistor(params: Params) -> Fields:
    ends = (*_on("x", params.i_max_a), *_on("y", params.R_ohm * params.i_max_a))
    slope = FieldFormula(readings=ends, formula=lambda read: read[1] / read[0])
    return {"resistance_ohm": slope, "cp_slope_ohm": slope}


def _pole_zero(params: Params) -> Fields:
    return {
        "pole_real": _x(params.pole_real),
        "pole_imag": _y(params.pole_imag),
        "zero_real": _x(params.zero_real),
        "zero_imag": _y(params.zero_imag),
    }


def _pump(params: Params) -> Fields:
    head, half, last = params.shutoff_head_m, params.q_at_half_head_m3h, params.q_zero_head_m3h
    return {
        "head_at_qop_m": _y(head - params.a * params.q_op_m3h**2),
        "q_at_half_head_m3h": _crossing(half, head / 2, slope=-2 * params.a * half),
        "cp_shutoff_head_m": _y(head),
        "cp_qmax_m3h": _crossing(last, 0.0, slope=-2 * params.a * last),
    }


def _sn(params: Params) -> Fields:
    first, limit = params.stress_at_1e3_mpa, params.endurance_limit_mpa
    exponent = math.log(limit / first) / math.log(params.knee_cycles / 1e3)
    return {
        "stress_at_1e5_mpa": _y(max(limit, first * (_RATED_CYCLES / 1e3) ** exponent)),
        "endurance_limit_mpa": _y(limit),
        "cp_stress_at_1e3_mpa": _y(first),
    }


def _spectrogram(params: Params) -> Fields:
    return {
        "f1_hz": _y(params.f1_hz),
        "f2_hz": _y(params.f2_hz),
        "switch_time_s": _x(params.switch_time_s),
        "cp_duration_s": _x(params.duration_s),
    }


def _step(params: Params) -> Fields:
    root = math.sqrt(1 - params.zeta**2)
    damped, phase = params.wn_rad_s * root, math.atan2(root, params.zeta)
    times = [params.t_end_s * step / (params.n_points - 1) for step in range(params.n_points)]
    curve = [1 - math.exp(-params.zeta * params.wn_rad_s * t) * math.sin(damped * t + phase) / root for t in times]
    last = curve[-1]
    peak = max(range(len(curve)), key=curve.__getitem__)
    settled = 1 + max(place for place, value in enumerate(curve) if abs(value - last) > 0.02 * abs(last))
    slope = (curve[settled] - curve[settled - 1]) / (times[settled] - times[settled - 1])
    return {
        "percent_overshoot": FieldFormula(
            readings=_on("y", curve[peak], last),
            formula=lambda read: 100 * (read[0] - read[1]) / read[1],
            is_shape=True,
        ),
        "settling_time_s": _crossing(times[settled], curve[settled], slope=slope),
        "steady_state": _y(last),
        "cp_peak_time_s": _x(times[peak]),
        "cp_peak_value": _y(curve[peak]),
        "cp_band_lower": _y(last, 0.98),
        "cp_band_upper": _y(last, 1.02),
    }


def _stress_strain(params: Params) -> Fields:
    return {
        "yield_strength_mpa": _y(params.yield_strength_mpa),
        "uts_mpa": _y(params.uts_mpa),
        "fracture_strain": _x(params.fracture_strain),
        "cp_yield_strain": _x(params.yield_strength_mpa / (1000 * params.E_gpa)),
        "cp_uts_strain": _x(params.uts_strain),
    }


def _time_waveform(params: Params) -> Fields:
    """All whole periods that are shown are measured at once."""
    shown = max(1, math.floor(params.t_end_s * params.f0_hz + 1e-9))
    fields = {
        "frequency_hz": _length("x", 0.0, shown / params.f0_hz, lambda length: shown / length),
        "vpp_v": _length("y", -params.A, params.A),
        "cp_period_s": _length("x", 0.0, shown / params.f0_hz, lambda length: length / shown),
        "cp_vmax_v": _y(params.A),
        "cp_vmin_v": _y(-params.A),
    }
    if params.duty is None:
        return fields
    edges = _on("x", *(share / params.f0_hz for share in (0.0, params.duty, 1.0)))
    duty = FieldFormula(
        readings=edges, formula=lambda read: (read[1] - read[0]) / (read[2] - read[0]), is_shape=True
    )
    return {**fields, "cp_duty": duty}


def _torque_speed(params: Params) -> Fields:
    stall, no_load = params.stall_torque_nm, params.no_load_speed_rpm
    return {
        "stall_torque_nm": _y(stall),
        "no_load_speed_rpm": _crossing(no_load, 0.0, slope=-stall / no_load),
        "cp_torque_at_speed_q_nm": _y(stall * (1 - params.speed_q_rpm / no_load)),
    }


def _transfer(params: Params) -> Fields:
    knee, limit = params.Vsat / params.gain, params.Vsat
    return {
        "small_signal_gain": FieldFormula(
            readings=(*_on("x", -knee, knee), *_on("y", -limit, limit)),
            formula=lambda read: (read[3] - read[2]) / (read[1] - read[0]),
        ),
        "saturation_v": _y(limit),
        "cp_vin_at_saturation": _crossing(knee, limit, slope=params.gain),
    }


V4_READINGS: Mapping[str, Callable[[Params], Fields]] = {
    "bandpass_response": _bandpass,
    "bode_magnitude": _bode_magnitude,
    "bode_phase": _bode_phase,
    "fft_spectrum": _fft,
    "iv_diode": _iv_diode,
    "iv_resistor": _iv_resistor,
    "pole_zero": _pole_zero,
    "pump_curve": _pump,
    "sn_curve": _sn,
    "spectrogram": _spectrogram,
    "step_response": _step,
    "stress_strain": _stress_strain,
    "time_waveform": _time_waveform,
    "torque_speed": _torque_speed,
    "transfer_characteristic": _transfer,
}
