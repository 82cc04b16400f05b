"""The truth once more, from the stored parameters alone and by other means than the families use.

Families compute truth by closed formulas (or from their sampled curve, where the edition defines it so);
here the same quantities come from complex transfer functions, bisection, counting and fitting. The
validation files that belong to a written set compare the two.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from generators.plotchain.bisection import bisect
from generators.plotchain.numeric import np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generators.items import JsonValue

    Numbers = Mapping[str, float]
    Baseline = Callable[[Numbers], dict[str, float]]

__all__ = ["baseline_truth"]


def baseline_truth(family: str, params: Mapping[str, JsonValue]) -> dict[str, float]:
    """Return every field's value, not rounded, in the fields' units.

    Raises:
        KeyError: there is no baseline for the family, or a parameter is missing.
    """
    numbers = {name: float(value) for name, value in params.items() if isinstance(value, int | float)}
    if family == "time_waveform":
        return _time_waveform(numbers, str(params["wave_type"]))
    return _BASELINES[family](numbers)


def _step_response(p: Numbers) -> dict[str, float]:
    # Partial fractions of wn^2 / (s (s - pole) (s - conjugate)), sampled as the edition says.
    pole = p["wn_rad_s"] * complex(-p["zeta"], math.sqrt(1.0 - p["zeta"] ** 2))
    residue = p["wn_rad_s"] ** 2 / (pole * (pole - pole.conjugate()))
    count = int(p["n_points"])
    times = [p["t_end_s"] * index / (count - 1) for index in range(count)]
    values = [1.0 + 2.0 * (residue * cmath.exp(pole * time)).real for time in times]
    last, top = values[-1], max(values)
    settled = count - 1
    while abs(values[settled - 1] - last) <= 0.02 * abs(last):
        settled -= 1
    return {
        "percent_overshoot": 100.0 * (top / last - 1.0),
        "settling_time_s": times[settled],
        "steady_state": last,
        "cp_peak_time_s": times[values.index(top)],
        "cp_peak_value": top,
        "cp_band_lower": last - 0.02 * last,
        "cp_band_upper": last + 0.02 * last,
    }


def _bode_magnitude(p: Numbers) -> dict[str, float]:
    def level_db(frequency: float) -> float:
        return 20.0 * math.log10(abs(p["K"] / complex(1.0, frequency / p["fc_hz"])))

    flat = level_db(0.0)
    half_power = 10.0 * math.log10(0.5)
    corner = bisect(lambda f: level_db(f) - flat - half_power, p["fmin_hz"], p["fmax_hz"])
    far = 1e6 * p["fmax_hz"]
    return {
        "dc_gain_db": flat,
        "cutoff_hz": corner,
        "cp_mag_at_fc_db": level_db(corner),
        "cp_slope_db_per_decade": level_db(10.0 * far) - level_db(far),
    }


def _bode_phase(p: Numbers) -> dict[str, float]:
    def phase_deg(frequency: float) -> float:
        return math.degrees(cmath.phase(1.0 / complex(1.0, frequency / p["fc_hz"])))

    corner = bisect(lambda f: phase_deg(f) + 45.0, p["fmin_hz"], p["fmax_hz"])
    return {
        "cutoff_hz": corner,
        "phase_deg_at_fq": phase_deg(p["fq_hz"]),
        "cp_phase_deg_at_fc": phase_deg(corner),
    }


def _bandpass_response(p: Numbers) -> dict[str, float]:
    def response(frequency: float) -> complex:
        s = 1j * frequency / p["f0_hz"]
        return (s / p["Q"]) / (s * s + s / p["Q"] + 1.0)

    low, high = p["f0_hz"] / 100.0, p["f0_hz"] * 100.0
    resonance = bisect(lambda f: response(f).imag, low, high)
    lower = bisect(lambda f: abs(response(f)) ** 2 - 0.5, low, resonance)
    upper = bisect(lambda f: abs(response(f)) ** 2 - 0.5, resonance, high)
    return {
        "resonance_hz": resonance,
        "cp_f1_3db_hz": lower,
        "cp_f2_3db_hz": upper,
        "bandwidth_hz": upper - lower,
        "cp_q_factor": resonance / (upper - lower),
    }


def _time_waveform(p: Numbers, shape: str) -> dict[str, float]:
    per_cycle, cycles = 10_000, 10
    phase = np.arange(per_cycle) / per_cycle
    level = {
        "sine": np.cos(2.0 * np.pi * (phase - 0.25)),
        "square": np.sign(p.get("duty", 0.0) - phase),
        "triangle": 2.0 / np.pi * np.arcsin(np.cos(2.0 * np.pi * phase)),
    }[shape]
    signal = p["A"] * np.tile(level, cycles)
    rising = np.flatnonzero((signal[:-1] < 0.0) & (signal[1:] >= 0.0))
    period_s = float(np.diff(rising).mean()) / (per_cycle * p["f0_hz"])
    high, low = float(signal.max()), float(signal.min())
    truth = {
        "frequency_hz": 1.0 / period_s,
        "vpp_v": high - low,
        "cp_period_s": period_s,
        "cp_vmax_v": high,
        "cp_vmin_v": low,
    }
    return truth if shape != "square" else {**truth, "cp_duty": float((level > 0.0).mean())}


def _fft_spectrum(p: Numbers) -> dict[str, float]:
    t = np.arange(int(p["N"])) / p["fs_hz"]
    signal = p["a1"] * np.cos(2.0 * np.pi * p["f1_hz"] * t) + p["a2"] * np.cos(2.0 * np.pi * p["f2_hz"] * t)
    magnitude = np.abs(np.fft.rfft(signal))
    second, first = np.argsort(magnitude)[-2:]
    resolution_hz = p["fs_hz"] / p["N"]
    return {
        "dominant_frequency_hz": float(first) * resolution_hz,
        "secondary_frequency_hz": float(second) * resolution_hz,
        "cp_peak_ratio": float(magnitude[first] / magnitude[second]),
    }


def _spectrogram(p: Numbers) -> dict[str, float]:
    # The phase accumulates sample by sample; its mean step is the frequency.
    samples = round(p["duration_s"] * p["fs_hz"])
    switch = next(index for index in range(samples) if index / p["fs_hz"] >= p["switch_time_s"])
    step = np.where(np.arange(samples) < switch, p["f1_hz"], p["f2_hz"]) / p["fs_hz"]
    turns = np.cumsum(step)
    return {
        "f1_hz": float(turns[switch - 1] - turns[0]) / (switch - 1) * p["fs_hz"],
        "f2_hz": float(turns[-1] - turns[switch]) / (samples - 1 - switch) * p["fs_hz"],
        "switch_time_s": switch / p["fs_hz"],
        "cp_duration_s": samples / p["fs_hz"],
    }


def _iv_resistor(p: Numbers) -> dict[str, float]:
    current = np.linspace(0.0, p["i_max_a"], int(p["n_points"]))
    slope = float(np.polyfit(current, current / (1.0 / p["R_ohm"]), 1)[0])
    return {"resistance_ohm": slope, "cp_slope_ohm": slope}


def _iv_diode(p: Numbers) -> dict[str, float]:
    def excess_a(voltage: float) -> float:
        return p["I0"] * math.exp((voltage - p["Vt"]) / p["k"]) - p["target_current_a"]

    voltage = bisect(excess_a, p["v_min"], p["v_max"])
    return {
        "target_current_a": excess_a(voltage) + p["target_current_a"],
        "turn_on_voltage_v_at_target_i": voltage,
    }


def _transfer_characteristic(p: Numbers) -> dict[str, float]:
    def output_v(vin: float) -> float:
        return min(p["Vsat"], max(-p["Vsat"], p["gain"] * vin))

    small = 1e-3 * p["vin_max"]
    return {
        "small_signal_gain": (output_v(small) - output_v(-small)) / (2.0 * small),
        "saturation_v": output_v(p["vin_max"]),
        "cp_vin_at_saturation": bisect(lambda vin: p["Vsat"] - output_v(vin), 0.0, p["vin_max"]),
    }


def _pole_zero(p: Numbers) -> dict[str, float]:
    pole = complex(np.roots([1.0, -complex(p["pole_real"], p["pole_imag"])])[0])
    zero = complex(np.roots([1.0, -complex(p["zero_real"], p["zero_imag"])])[0])
    return {
        "pole_real": pole.real,
        "pole_imag": pole.imag,
        "zero_real": zero.real,
        "zero_imag": zero.imag,
    }


def _stress_strain(p: Numbers) -> dict[str, float]:
    modulus_mpa = 1000.0 * p["E_gpa"]
    corners = (0.0, p["yield_strength_mpa"] / modulus_mpa, p["uts_strain"], p["fracture_strain"])
    levels = (0.0, p["yield_strength_mpa"], p["uts_mpa"], p["fracture_stress_mpa"])

    def stress_mpa(strain: float) -> float:
        return float(np.interp(strain, corners, levels))

    # Yield is where the curve leaves Hooke's line; ultimate is where its secant turns downwards.
    step = 1e-9
    knee = bisect(lambda e: modulus_mpa * e - stress_mpa(e) - step, step, p["uts_strain"])
    top = bisect(lambda e: stress_mpa(e + step) - stress_mpa(e), knee, p["fracture_strain"] - step)
    return {
        "yield_strength_mpa": stress_mpa(knee),
        "uts_mpa": stress_mpa(top),
        "fracture_strain": p["fracture_strain"],
        "cp_yield_strain": knee,
        "cp_uts_strain": top,
    }


def _torque_speed(p: Numbers) -> dict[str, float]:
    slope = -p["stall_torque_nm"] / p["no_load_speed_rpm"]
    line = np.polynomial.Polynomial([p["stall_torque_nm"], slope])
    return {
        "stall_torque_nm": float(line(0.0)),
        "no_load_speed_rpm": float(line.roots()[0]),
        "cp_torque_at_speed_q_nm": float(line(p["speed_q_rpm"])),
    }


def _pump_curve(p: Numbers) -> dict[str, float]:
    curve = np.polynomial.Polynomial([p["shutoff_head_m"], 0.0, -p["a"]])
    half = curve - 0.5 * p["shutoff_head_m"]
    return {
        "head_at_qop_m": float(curve(p["q_op_m3h"])),
        "q_at_half_head_m3h": float(half.roots().max()),
        "cp_shutoff_head_m": float(curve(0.0)),
        "cp_qmax_m3h": float(curve.roots().max()),
    }


def _sn_curve(p: Numbers) -> dict[str, float]:
    knee = math.log10(p["knee_cycles"])
    logs = [math.log10(p["stress_at_1e3_mpa"]), math.log10(p["endurance_limit_mpa"])]
    return {
        "stress_at_1e5_mpa": float(10.0 ** np.interp(5.0, [3.0, knee], logs)),
        "endurance_limit_mpa": float(10.0 ** np.interp(7.0, [3.0, knee], logs)),
        "cp_stress_at_1e3_mpa": float(10.0 ** np.interp(3.0, [3.0, knee], logs)),
    }


_BASELINES: Mapping[str, Baseline] = {
    "bandpass_response": _bandpass_response,
    "bode_magnitude": _bode_magnitude,
    "bode_phase": _bode_phase,
    "fft_spectrum": _fft_spectrum,
    "iv_diode": _iv_diode,
    "iv_resistor": _iv_resistor,
    "pole_zero": _pole_zero,
    "pump_curve": _pump_curve,
    "sn_curve": _sn_curve,
    "spectrogram": _spectrogram,
    "step_response": _step_response,
    "stress_strain": _stress_strain,
    "torque_speed": _torque_speed,
    "transfer_characteristic": _transfer_characteristic,
}
