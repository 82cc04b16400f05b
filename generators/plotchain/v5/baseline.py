"""The truth of edition v5 once more, from the stored parameters alone and by other means than the families use.

Families compute truth by closed formulas; here the same quantities come from complex transfer functions,
bisection, fitting and the tops of sampled curves. The validation files of a written set compare the two.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

from generators.plotchain.bisection import bisect
from generators.plotchain.numeric import np
from generators.plotchain.v5.units import (
    CURRENT,
    FREQUENCY,
    POLE,
    STRAIN,
    TIME,
    TORQUE,
    VOLTAGE,
    WAVE_VOLTAGE,
    in_base_unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generators.items import JsonValue

    Curve = Callable[[float], float]

__all__ = ["baseline_truth"]

_BAND = 0.1


class _Given:
    """A record's parameters: numbers by item access, unit sizes by `base`."""

    def __init__(self, params: Mapping[str, JsonValue]) -> None:
        self._params = params

    def __getitem__(self, name: str) -> float:
        return float(str(self._params[name]))

    def text(self, name: str) -> str:
        return str(self._params[name])

    def base(self, name: str, units: Mapping[str, float]) -> float:
        return in_base_unit(units, self.text(name))


def baseline_truth(family: str, params: Mapping[str, JsonValue]) -> dict[str, float]:
    """Return every field's value, not rounded, in the fields' units.

    Raises:
        KeyError: there is no baseline for the family, or a parameter is missing.
    """
    return _BASELINES[family](_Given(params))


def _bandpass_response(p: _Given) -> dict[str, float]:
    def response(frequency: float) -> complex:
        s = 1j * frequency / p["f0"]
        return (s / p["q_factor"]) / (s * s + s / p["q_factor"] + 1.0)

    hertz = p.base("frequency_unit", FREQUENCY)
    resonance = bisect(lambda f: response(f).imag, p["x_min"], p["x_max"])
    lower = bisect(lambda f: abs(response(f)) ** 2 - 0.5, p["x_min"], resonance)
    upper = bisect(lambda f: abs(response(f)) ** 2 - 0.5, resonance, p["x_max"])
    return {
        "resonance_hz": resonance * hertz,
        "bandwidth_hz": (upper - lower) * hertz,
        "cp_f1_3db_hz": lower * hertz,
        "cp_f2_3db_hz": upper * hertz,
        "cp_q_factor": resonance / (upper - lower),
    }


def _bode_magnitude(p: _Given) -> dict[str, float]:
    def level_db(frequency: float) -> float:
        return p["gain_db"] - 10.0 * math.log10(1.0 + math.exp(2.0 * p["order"] * math.log(frequency / p["fc"])))

    flat = level_db(1e-60)
    half_power = 10.0 * math.log10(0.5)
    corner = bisect(lambda f: level_db(f) - flat - half_power, p["x_min"], p["x_max"])
    return {
        "dc_gain_db": flat,
        "cutoff_hz": corner * p.base("frequency_unit", FREQUENCY),
        "cp_mag_at_fc_db": level_db(corner),
        "cp_slope_db_per_decade": (level_db(p["f_r"]) - level_db(p["f_p"])) / math.log10(p["f_r"] / p["f_p"]),
    }


def _bode_phase(p: _Given) -> dict[str, float]:
    def phase_deg(frequency: float) -> float:
        return p["start_deg"] - p["order"] * math.degrees(cmath.phase(complex(1.0, frequency / p["fc"])))

    middle = 0.5 * (phase_deg(0.0) + phase_deg(math.inf))
    corner = bisect(lambda f: phase_deg(f) - middle, p["x_min"], p["x_max"])
    return {
        "cutoff_hz": corner * p.base("frequency_unit", FREQUENCY),
        "phase_deg_at_fq": phase_deg(p["fq"]),
        "cp_phase_deg_at_fc": phase_deg(corner),
    }


def _fft_spectrum(p: _Given) -> dict[str, float]:
    hertz = p.base("frequency_unit", FREQUENCY)
    places, levels = [], []
    for tone in ("dominant", "secondary"):
        # The vertex of the parabola through three samples of a peak.
        samples = np.array([-1.0, 0.25, 1.0]) * p["peak_width_px"]
        square, line, constant = np.polyfit(
            samples, p[f"{tone}_db"] - 3.0 * (samples / p["peak_width_px"]) ** 2, 2
        )
        vertex = -line / (2.0 * square)
        places.append(p[tone] + float(vertex) * (p["x_max"] - p["x_min"]) / 810.0)
        levels.append(float(constant - square * vertex * vertex))
    return {
        "dominant_frequency_hz": places[0] * hertz,
        "secondary_frequency_hz": places[1] * hertz,
        "cp_peak_ratio": math.exp(math.log(10.0) * levels[0] / 20.0) / math.exp(math.log(10.0) * levels[1] / 20.0),
    }


def _spectrogram(p: _Given) -> dict[str, float]:
    seconds, hertz = p.base("time_unit", TIME), p.base("frequency_unit", FREQUENCY)

    def opening(name: str) -> float:
        return bisect(lambda time: math.tanh(time - p[name]), p["x_min"], p["x_max"])

    frequency = np.linspace(p["y_min"], p["y_max"], 200_001)
    width = p["tone_width_px"] * (p["y_max"] - p["y_min"]) / 432.0
    tones = []
    for tone in ("first_tone", "second_tone"):
        power = np.exp(-(((frequency - p[tone]) / width) ** 2))
        near = np.abs(frequency - p[tone]) < min(p[tone] - p["y_min"], p["y_max"] - p[tone])
        tones.append(float(np.average(frequency[near], weights=power[near])))
    return {
        "f1_hz": tones[0] * hertz,
        "f2_hz": tones[1] * hertz,
        "switch_time_s": opening("switch") * seconds,
        "cp_duration_s": (opening("end") - opening("start")) * seconds,
    }


def _iv_resistor(p: _Given) -> dict[str, float]:
    volts = p.base("voltage_unit", VOLTAGE)
    current = np.linspace(p["first_current"], p["last_current"], 60)
    line = np.polynomial.Polynomial.fit(current, np.linspace(p["first_voltage"], p["last_voltage"], 60), 1)
    return {
        "resistance_ohm": float(line.deriv()(0.0)) * volts / p.base("current_unit", CURRENT),
        "cp_voltage_at_iq_v": float(line(p["marked_current"])) * volts,
    }


def _iv_diode(p: _Given) -> dict[str, float]:
    def excess(voltage: float) -> float:
        # Measured from the point where the current is 1 axis unit.
        at_one = p["target_voltage_v"] - p["slope_voltage_v"] * math.log(p["target_current"])
        return math.exp((voltage - at_one) / p["slope_voltage_v"]) - p["target_current"]

    voltage = bisect(excess, p["x_min"], p["x_max"])
    return {
        "target_current_a": (excess(voltage) + p["target_current"]) * p.base("current_unit", CURRENT),
        "turn_on_voltage_v_at_target_i": voltage,
    }


def _transfer_characteristic(p: _Given) -> dict[str, float]:
    volts_in, volts_out = p.base("input_unit", VOLTAGE), p.base("output_unit", VOLTAGE)
    gain = (p["right_output"] - p["left_output"]) / (p["right_input"] - p["left_input"])
    low, high = sorted((p["left_output"], p["right_output"]))

    def output(given: float) -> float:
        return min(high, max(low, p["left_output"] + gain * (given - p["left_input"])))

    middle = 0.5 * (p["left_input"] + p["right_input"])
    small = 1e-3 * (p["right_input"] - p["left_input"])
    upper_end = p["x_max"] if gain > 0.0 else p["x_min"]
    knee = bisect(lambda given: high - output(given) - 1e-12 * (high - low), middle, upper_end)
    return {
        "small_signal_gain": (output(middle + small) - output(middle - small))
        / (2.0 * small)
        * volts_out
        / volts_in,
        "saturation_v": output(upper_end) * volts_out,
        "cp_vin_at_saturation": knee * volts_in,
    }


def _pole_zero(p: _Given) -> dict[str, float]:
    radians = p.base("unit", POLE)
    truth: dict[str, float] = {}
    for name in ("pole", "zero"):
        root = complex(np.roots([1.0, -complex(p[f"{name}_real"], p[f"{name}_imag"])])[0]) * radians
        truth |= {f"{name}_real": root.real, f"{name}_imag": root.imag}
    return truth


def _stress_strain(p: _Given) -> dict[str, float]:
    plain = p.base("strain_unit", STRAIN)
    modulus = p["yield_mpa"] / p["yield_strain"]

    def stress(strain: float) -> float:
        if strain <= p["yield_strain"]:
            return modulus * strain
        top, end = (
            p["ultimate_strain"],
            p["yield_strain"] if strain < p["ultimate_strain"] else p["fracture_strain"],
        )
        lost = p["ultimate_mpa"] - (p["yield_mpa"] if strain < top else p["fracture_mpa"])
        return p["ultimate_mpa"] - lost * math.pow((strain - top) / (end - top), 1.3)

    # Yield is where the curve leaves its first straight line; ultimate is where its secant turns downwards.
    step = 1e-9 * p["fracture_strain"]
    knee = bisect(lambda e: modulus * e - stress(e) - modulus * step, step, p["ultimate_strain"])
    top = bisect(lambda e: stress(e + step) - stress(e - step), knee + step, p["fracture_strain"] - step)
    return {
        "yield_strength_mpa": stress(knee),
        "uts_mpa": stress(top),
        "fracture_strain": p["fracture_strain"] * plain,
        "cp_yield_strain": knee * plain,
        "cp_uts_strain": top * plain,
    }


def _falling(p: _Given) -> tuple[Curve, float]:
    """Return the curve, and its zero."""

    def height(x: float) -> float:
        return (
            p["start"] - p["start"] * math.exp(p["exponent"] * math.log(x / p["end"])) if x > 0.0 else p["start"]
        )

    return height, bisect(height, 0.0, p["x_max"])


def _torque_speed(p: _Given) -> dict[str, float]:
    newton_metres = p.base("height_unit", TORQUE)
    torque, end = _falling(p)
    return {
        "stall_torque_nm": torque(0.0) * newton_metres,
        "no_load_speed_rpm": end,
        "cp_torque_at_speed_q_nm": torque(p["marked"]) * newton_metres,
    }


def _pump_curve(p: _Given) -> dict[str, float]:
    head, end = _falling(p)
    return {
        "head_at_qop_m": head(p["marked"]),
        "q_at_half_head_m3h": bisect(lambda flow: head(flow) - 0.5 * head(0.0), 0.0, end),
        "cp_shutoff_head_m": head(0.0),
        "cp_qmax_m3h": end,
    }


def _sn_curve(p: _Given) -> dict[str, float]:
    knee = math.log10(p["knee_cycles"])
    logs = [math.log10(p["stress_at_1e3_mpa"]), math.log10(p["endurance_limit_mpa"])]
    return {
        "stress_at_1e5_mpa": float(10.0 ** np.interp(5.0, [3.0, knee], logs)),
        "endurance_limit_mpa": float(10.0 ** np.interp(7.0, [3.0, knee], logs)),
        "cp_stress_at_1e3_mpa": float(10.0 ** np.interp(3.0, [3.0, knee], logs)),
    }


def _step_response(p: _Given) -> dict[str, float]:
    # Partial fractions: a pair of complex exponentials around the final value.
    seconds = p.base("time_unit", TIME)
    pole = complex(-p["damping"], math.sqrt(1.0 - p["damping"] ** 2)) * p["natural_frequency"]
    residue = -0.5 * complex(1.0, -p["sine_share"])
    times = np.linspace(0.0, p["x_max"], 20_001)
    deviations = 2.0 * (residue * np.exp(pole * times)).real

    def deviation(time: float) -> float:
        return 2.0 * (residue * cmath.exp(pole * time)).real

    def rate(time: float) -> float:
        return (residue * pole * cmath.exp(pole * time)).real

    highest = int(deviations.argmax())
    peak_time = bisect(rate, float(times[highest - 1]), float(times[highest + 1]))
    last = int(np.flatnonzero(np.abs(deviations) > _BAND)[-1])
    settled = bisect(lambda t: abs(deviation(t)) - _BAND, float(times[last]), float(times[last + 1]))
    step = p["final"] - p["initial"]
    edges = sorted((p["final"] - _BAND * step, p["final"] + _BAND * step))
    return {
        "percent_overshoot": 100.0 * deviation(peak_time),
        "settling_time_s": settled * seconds,
        "steady_state": p["final"],
        "cp_peak_time_s": peak_time * seconds,
        "cp_peak_value": p["final"] + step * deviation(peak_time),
        "cp_band_lower": edges[0],
        "cp_band_upper": edges[1],
    }


def _time_waveform(p: _Given) -> dict[str, float]:
    def share(phase: float) -> float:
        turn = 2.0 * math.pi * phase
        if p.text("wave_type") == "square":
            return 1.0 if phase % 1.0 < p["duty"] else 0.0
        return 0.5 + (
            0.5 * math.sin(turn) if p.text("wave_type") == "sine" else math.asin(math.sin(turn)) / math.pi
        )

    def rise(near: float) -> float:
        return bisect(lambda t: share((t - p["first_rise"]) / p["period"]) - 0.5, near - reach, near + reach)

    reach = 0.04 * p["period"]
    first, second = rise(p["first_rise"]), rise(p["first_rise"] + p["period"])
    volts, period_s = p.base("voltage_unit", WAVE_VOLTAGE), (second - first) * p.base("time_unit", TIME)
    shares = [share(step / 4096.0) for step in range(4096)]
    low, high = (p["lowest"] + edge * (p["highest"] - p["lowest"]) for edge in (min(shares), max(shares)))
    truth = {
        "frequency_hz": 1.0 / period_s,
        "vpp_v": (high - low) * volts,
        "cp_period_s": period_s,
        "cp_vmax_v": high * volts,
        "cp_vmin_v": low * volts,
    }
    if p.text("wave_type") != "square":
        return truth
    return {**truth, "cp_duty": bisect(lambda phase: share(phase) - 0.5, 0.02, 0.98)}


_BASELINES: Mapping[str, Callable[[_Given], dict[str, float]]] = {
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
    "time_waveform": _time_waveform,
    "torque_speed": _torque_speed,
    "transfer_characteristic": _transfer_characteristic,
}
