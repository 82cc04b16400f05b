"""What each field of edition v4 is read from.

A crossing is read along x, and the level that it crosses along y: an error of the level moves the crossing by the
curve's slope. Helper lines, which clean and moderate pictures show, are not counted on. Values are those of the
curve, before rounding.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bench.validity.readings import FieldReading, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Params = Any
    Fields = Mapping[str, FieldReading]

__all__ = ["V4_READINGS"]

_HALF_POWER_DB = 10 * math.log10(2)
_RATED_CYCLES = 1e5
_DEGREES_A_DECADE_AT_CORNER = -math.degrees(0.5) * math.log(10)
_DB_A_DECADE_AT_CORNER = -10.0


def _x(value: float) -> FieldReading:
    return FieldReading(readings=(Reading(axis="x", value=value),), formula=lambda read: read[0])


def _y(value: float, *, times: float = 1.0) -> FieldReading:
    return FieldReading(readings=(Reading(axis="y", value=value),), formula=lambda read: times * read[0])


def _length(
    axis: str, first: float, second: float, formula: Callable[[float], float] = lambda length: length
) -> FieldReading:
    ends = tuple(Reading(axis="x" if axis == "x" else "y", value=value) for value in (first, second))
    return FieldReading(readings=ends, formula=lambda read: formula(read[1] - read[0]))


def _crossing(x: float, level: float, *, slope: float) -> FieldReading:
    """`slope` is the curve's, in y units an x unit."""
    return FieldReading(
        readings=(Reading(axis="x", value=x), Reading(axis="y", value=level, is_place=False)),
        formula=lambda read: read[0] + (read[1] - level) / slope,
    )


def _log_crossing(x: float, level: float, *, slope: float) -> FieldReading:
    """`slope` is the curve's, in y units a decade."""
    return FieldReading(
        readings=(Reading(axis="x", value=x), Reading(axis="y", value=level, is_place=False)),
        formula=lambda read: read[0] * 10 ** ((read[1] - level) / slope),
    )


def _bandpass(params: Params) -> Fields:
    f0, quality = params.f0_hz, params.Q
    centre, half = math.sqrt(1 + 1 / (4 * quality**2)), 1 / (2 * quality)
    lower, upper, level = f0 * (centre - half), f0 * (centre + half), -_HALF_POWER_DB
    # d(-10 log10(1 + u^2)) at u = Q (r - 1/r) = -+1, r = f/f0, over d log10 r = dr / (r ln 10).
    slopes = {
        edge: -10 * math.copysign(1, edge - f0) * quality * (edge / f0 + f0 / edge) for edge in (lower, upper)
    }

    def edges(read: Any) -> tuple[float, float]:  # noqa: ANN401
        shift = read[2] - level
        return read[0] * 10 ** (shift / slopes[lower]), read[1] * 10 ** (shift / slopes[upper])

    def bandwidth(read: Any) -> float:  # noqa: ANN401
        low, high = edges(read)
        return high - low

    readings = (
        Reading(axis="x", value=lower),
        Reading(axis="x", value=upper),
        Reading(axis="y", value=level, is_place=False),
    )
    return {
        "resonance_hz": _x(f0),
        "cp_f1_3db_hz": _log_crossing(lower, level, slope=slopes[lower]),
        "cp_f2_3db_hz": _log_crossing(upper, level, slope=slopes[upper]),
        "bandwidth_hz": FieldReading(readings=readings, formula=bandwidth),
        "cp_q_factor": FieldReading(
            readings=(*readings, Reading(axis="x", value=f0)),
            formula=lambda read: read[3] / bandwidth(read),
            is_shape=True,
        ),
    }


def _bode_magnitude(params: Params) -> Fields:
    gain, corner = 20 * math.log10(params.K), params.fc_hz
    level = gain - _HALF_POWER_DB
    first, last = 5 * corner, params.fmax_hz

    def magnitude(frequency: float) -> float:
        return gain - 10 * math.log10(1 + (frequency / corner) ** 2)

    return {
        "dc_gain_db": _y(gain),
        "cutoff_hz": _log_crossing(corner, level, slope=_DB_A_DECADE_AT_CORNER),
        "cp_mag_at_fc_db": _y(level),
        "cp_slope_db_per_decade": FieldReading(
            readings=(
                Reading(axis="x", value=first),
                Reading(axis="x", value=last),
                Reading(axis="y", value=magnitude(first)),
                Reading(axis="y", value=magnitude(last)),
            ),
            formula=lambda read: (read[3] - read[2]) / math.log10(read[1] / read[0]),
        ),
    }


def _bode_phase(params: Params) -> Fields:
    corner, marked = params.fc_hz, params.fq_hz
    phase = -math.degrees(math.atan(marked / corner))
    ratio = marked / corner
    slope = -math.degrees(ratio / (1 + ratio**2)) * math.log(10)
    return {
        "cutoff_hz": _log_crossing(corner, -45.0, slope=_DEGREES_A_DECADE_AT_CORNER),
        "phase_deg_at_fq": FieldReading(
            readings=(Reading(axis="y", value=phase), Reading(axis="x", value=marked, is_place=False)),
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
        "turn_on_voltage_v_at_target_i": FieldReading(
            readings=(Reading(axis="x", value=voltage), Reading(axis="y", value=target, is_place=False)),
            formula=lambda read: read[0] + params.k * math.log(read[1] / target),
        ),
    }


def _iv_resistor(params: Params) -> Fields:
    ends = (Reading(axis="x", value=params.i_max_a), Reading(axis="y", value=params.R_ohm * params.i_max_a))
    slope = FieldReading(readings=ends, formula=lambda read: read[1] / read[0])
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
    damped = params.wn_rad_s * math.sqrt(1 - params.zeta**2)

    def response(t: float) -> float:
        phase = math.atan2(math.sqrt(1 - params.zeta**2), params.zeta)
        return 1 - math.exp(-params.zeta * params.wn_rad_s * t) * math.sin(damped * t + phase) / math.sqrt(
            1 - params.zeta**2
        )

    times = [params.t_end_s * step / (params.n_points - 1) for step in range(params.n_points)]
    curve = [response(t) for t in times]
    last = curve[-1]
    peak = max(range(len(curve)), key=curve.__getitem__)
    settled = 1 + max(place for place, value in enumerate(curve) if abs(value - last) > 0.02 * abs(last))
    slope = (curve[settled] - curve[settled - 1]) / (times[settled] - times[settled - 1])
    return {
        "percent_overshoot": FieldReading(
            readings=(Reading(axis="y", value=curve[peak]), Reading(axis="y", value=last)),
            formula=lambda read: 100 * (read[0] - read[1]) / read[1],
            is_shape=True,
        ),
        "settling_time_s": _crossing(times[settled], curve[settled], slope=slope),
        "steady_state": _y(last),
        "cp_peak_time_s": _x(times[peak]),
        "cp_peak_value": _y(curve[peak]),
        "cp_band_lower": _y(last, times=0.98),
        "cp_band_upper": _y(last, times=1.02),
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
    edges = tuple(Reading(axis="x", value=value / params.f0_hz) for value in (0.0, params.duty, 1.0))
    duty = FieldReading(
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
    knee = params.Vsat / params.gain
    ends = tuple(
        Reading(axis="x" if axis == "x" else "y", value=sign * (knee if axis == "x" else params.Vsat))
        for axis in ("x", "y")
        for sign in (-1, 1)
    )
    return {
        "small_signal_gain": FieldReading(
            readings=ends, formula=lambda read: (read[3] - read[2]) / (read[1] - read[0])
        ),
        "saturation_v": _y(params.Vsat),
        "cp_vin_at_saturation": _crossing(knee, params.Vsat, slope=params.gain),
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
