"""The second route: every truth value of the published set, derived again without the families' formulas.

Values are read off the drawn curve where it shows them without noise; otherwise they come from simulation,
root finding, fitting or spectra of an independently synthesised signal. Where the edition defines truth on
its own sampling grid and last sample (the step response), the simulation uses that grid and reference.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import interpolate, optimize, signal, stats

from generators.plotchain.family import EDITIONS
from generators.plotchain.v4.families import iv_diode, spectrogram, stress_strain

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item
    from generators.plotchain.family import PlotCase

    Route = Callable[[PlotCase[Any], Axes], dict[str, float]]

VALUES = 1721


def _line(axes: Axes, number: int = 0) -> tuple[Any, Any]:
    x, y = axes.lines[number].get_data()
    return np.asarray(x, dtype=float), np.asarray(y, dtype=float)


def _noise_free(case: PlotCase[Any]) -> PlotCase[Any]:
    return dataclasses.replace(case, params=dataclasses.replace(case.params, noise=0.0))


def _step_response(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # Simulated in state space, on the edition's grid.
    p = case.params
    system = signal.lti([p.wn_rad_s**2], [1.0, 2.0 * p.zeta * p.wn_rad_s, p.wn_rad_s**2])
    grid = np.linspace(0.0, p.t_end_s, p.n_points)
    t, y = signal.step(system, T=grid)
    outside = np.abs(y / y[-1] - 1.0) > 0.02
    return {
        "percent_overshoot": 100.0 * (y.max() / y[-1] - 1.0),
        "settling_time_s": t[np.max(np.nonzero(outside)) + 1],
        "steady_state": y[-1],
        "cp_peak_time_s": t[signal.find_peaks(y)[0][0]],
        "cp_peak_value": y.max(),
        "cp_band_lower": y[-1] * 0.98,
        "cp_band_upper": y[-1] * 1.02,
    }


def _low_pass(gain: float, corner_hz: float) -> Callable[[float], complex]:
    numerator, denominator = [gain * 2.0 * np.pi * corner_hz], [1.0, 2.0 * np.pi * corner_hz]
    return lambda f: complex(signal.freqs(numerator, denominator, worN=[2.0 * np.pi * f])[1][0])


def _bode_magnitude(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # The corner is where the drawn curve crosses its half-power level; the slope is measured far above.
    f, level_db = _line(axes)
    response = _low_pass(case.params.K, case.params.fc_hz)

    def db(frequency: float) -> float:
        return float(20.0 * np.log10(abs(response(frequency))))

    flat = db(1e-9 * case.params.fc_hz)
    curve = interpolate.CubicSpline(np.log10(f), level_db)
    crossing = optimize.brentq(lambda u: curve(u) - flat - 10.0 * np.log10(0.5), np.log10(f[0]), np.log10(f[-1]))
    return {
        "dc_gain_db": flat,
        "cutoff_hz": 10.0**crossing,
        "cp_mag_at_fc_db": db(case.params.fc_hz),
        "cp_slope_db_per_decade": db(1e6 * case.params.fc_hz) - db(1e5 * case.params.fc_hz),
    }


def _bode_phase(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # Read off the drawn curve at its own marker line and where it crosses -45 degrees.
    f, phase_deg = _line(axes)
    curve = interpolate.CubicSpline(np.log10(f), phase_deg)
    corner = optimize.brentq(lambda u: curve(u) + 45.0, np.log10(f[0]), np.log10(f[-1]))
    marker = next(line for line in axes.lines if line.get_linestyle() == ":")
    response = _low_pass(1.0, case.params.fc_hz)
    return {
        "cutoff_hz": 10.0**corner,
        "phase_deg_at_fq": float(curve(np.log10(np.asarray(marker.get_xdata(), dtype=float)[0]))),
        "cp_phase_deg_at_fc": float(np.angle(response(case.params.fc_hz), deg=True)),
    }


def _bandpass_response(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # Peak and half-power points of the transfer function w0/Q s / (s^2 + w0/Q s + w0^2), by search.
    w0, q = 2.0 * np.pi * case.params.f0_hz, case.params.Q

    def power(log_f: float) -> float:
        _, response = signal.freqs([w0 / q, 0.0], [1.0, w0 / q, w0**2], worN=[2.0 * np.pi * 10.0**log_f])
        return float(abs(response[0]) ** 2)

    f, _ = _line(axes)
    low, high = np.log10(f[0]) - 1.0, np.log10(f[-1]) + 1.0
    peak = optimize.minimize_scalar(lambda u: -power(u), bounds=(low, high), options={"xatol": 1e-12}).x
    lower = 10.0 ** optimize.brentq(lambda u: power(u) - 0.5, low, peak, xtol=1e-14)
    upper = 10.0 ** optimize.brentq(lambda u: power(u) - 0.5, peak, high, xtol=1e-14)
    return {
        "resonance_hz": 10.0**peak,
        "cp_f1_3db_hz": lower,
        "cp_f2_3db_hz": upper,
        "bandwidth_hz": upper - lower,
        "cp_q_factor": 10.0**peak / (upper - lower),
    }


def _time_waveform(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # The drawn samples must be SciPy's waveform; long windows of that one give frequency, levels and duty.
    p = case.params
    turn = 2.0 * np.pi * p.f0_hz
    waveform: dict[str, Callable[[Any], Any]] = {
        "sine": lambda t: p.A * np.cos(turn * t - np.pi / 2.0),
        "square": lambda t: p.A * signal.square(turn * t, duty=p.duty or 0.5),
        "triangle": lambda t: -p.A * signal.sawtooth(turn * t, width=0.5),
    }
    make = waveform[p.wave_type]
    t, y = _line(axes)
    edges = np.abs(y - make(t)) > 1e-6 * p.A
    assert edges.mean() < 0.02  # only samples that fall on a switching instant may differ
    window = np.arange(400_000) / 400_000 * 20.0 / p.f0_hz
    y = make(window)
    spectrum = np.abs(np.fft.rfft(y))
    frequency = np.argmax(spectrum[1:]) + 1
    truth = {
        "frequency_hz": frequency / (20.0 / p.f0_hz),
        "vpp_v": np.ptp(y),
        "cp_period_s": 20.0 / p.f0_hz / frequency,
        "cp_vmax_v": y.max(),
        "cp_vmin_v": y.min(),
    }
    return truth if p.duty is None else {**truth, "cp_duty": (y > 0.0).mean()}


def _fft_spectrum(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # The two highest peaks of the drawn spectrum; their ratio from a periodogram without noise.
    f, level_db = _line(axes)
    peaks, found = signal.find_peaks(level_db, height=-40.0)
    first, second = peaks[np.argsort(found["peak_heights"])[::-1][:2]]
    p = case.params
    t = np.arange(p.N) / p.fs_hz
    mixed = p.a1 * np.sin(2.0 * np.pi * p.f1_hz * t) + p.a2 * np.sin(2.0 * np.pi * p.f2_hz * t)
    power = np.sort(signal.periodogram(mixed, fs=p.fs_hz, detrend=False)[1])
    return {
        "dominant_frequency_hz": f[first],
        "secondary_frequency_hz": f[second],
        "cp_peak_ratio": np.sqrt(power[-1] / power[-2]),
    }


def _spectrogram(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # Instantaneous frequency of the analytic signal, well inside either half; the switch is the first
    # sample that leaves the first tone.
    x = spectrogram._signal(_noise_free(case))
    fs = case.params.fs_hz
    phase = np.unwrap(np.angle(signal.hilbert(x)))
    rate = np.diff(phase) * fs / (2.0 * np.pi)
    quarter = x.size // 4
    first = float(np.median(rate[quarter // 2 : quarter]))
    second = float(np.median(rate[3 * quarter : 3 * quarter + quarter // 2]))
    tone = np.sin(2.0 * np.pi * round(first) * np.arange(x.size) / fs)
    return {
        "f1_hz": first,
        "f2_hz": second,
        "switch_time_s": np.flatnonzero(np.abs(x - tone) > 1e-6)[0] / fs,
        "cp_duration_s": x.size / fs,
    }


def _iv_resistor(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    slope = stats.linregress(*_line(axes)).slope
    return {"resistance_ohm": slope, "cp_slope_ohm": slope}


def _iv_diode(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # Where the noise-free curve crosses the drawn target line.
    target = _line(axes, 1)[1][0]
    voltage, current = iv_diode._current(_noise_free(case))
    curve = interpolate.CubicSpline(voltage, np.log(current))
    crossing = optimize.brentq(lambda v: curve(v) - np.log(target), voltage[0], voltage[-1])
    return {"target_current_a": target, "turn_on_voltage_v_at_target_i": crossing}


def _transfer_characteristic(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # A line fitted to the unsaturated samples, and where it meets the plateau.
    vin, vout = _line(axes)
    linear = np.abs(vout) < 0.99 * vout.max()
    fit = stats.linregress(vin[linear], vout[linear])
    return {
        "small_signal_gain": fit.slope,
        "saturation_v": vout.max(),
        "cp_vin_at_saturation": (vout.max() - fit.intercept) / fit.slope,
    }


def _pole_zero(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # The drawn marks: the open one is the zero.
    marks = {len(mark.get_facecolor()) == 0: np.asarray(mark.get_offsets())[0] for mark in axes.collections}
    return {
        "pole_real": marks[False][0],
        "pole_imag": marks[False][1],
        "zero_real": marks[True][0],
        "zero_imag": marks[True][1],
    }


def _stress_strain(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    # The three straight parts fitted separately; yield and ultimate are where neighbours meet.
    strain, stress = stress_strain._stress(_noise_free(case))
    top = int(np.argmax(stress))
    elastic = stats.linregress(strain[:2], stress[:2])
    hardening = stats.linregress(strain[top // 2 : top - 1], stress[top // 2 : top - 1])
    falling = stats.linregress(strain[top + 2 :], stress[top + 2 :])
    (yield_strain, yield_mpa), (uts_strain, uts_mpa) = _meet(elastic, hardening), _meet(hardening, falling)
    return {
        "yield_strength_mpa": yield_mpa,
        "uts_mpa": uts_mpa,
        "fracture_strain": _line(axes)[0].max(),
        "cp_yield_strain": yield_strain,
        "cp_uts_strain": uts_strain,
    }


def _meet(first: Any, second: Any) -> tuple[float, float]:
    x = (second.intercept - first.intercept) / (first.slope - second.slope)
    return x, first.intercept + first.slope * x


def _torque_speed(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    fit = stats.linregress(*_line(axes))
    return {
        "stall_torque_nm": fit.intercept,
        "no_load_speed_rpm": -fit.intercept / fit.slope,
        "cp_torque_at_speed_q_nm": fit.intercept + fit.slope * _line(axes, 1)[0][0],
    }


def _pump_curve(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    flow, head = _line(axes)
    curve = interpolate.CubicSpline(flow, head)
    return {
        "head_at_qop_m": float(curve(_line(axes, 1)[0][0])),
        "q_at_half_head_m3h": optimize.brentq(lambda q: curve(q) - head[0] / 2.0, flow[0], flow[-1]),
        "cp_shutoff_head_m": head.max(),
        "cp_qmax_m3h": optimize.brentq(lambda q: curve(q, extrapolate=True), flow[0], 1.1 * flow[-1]),
    }


def _sn_curve(case: PlotCase[Any], axes: Axes) -> dict[str, float]:
    cycles, stress = _line(axes)
    sloping = cycles < 0.9e6
    fit = stats.linregress(np.log(cycles[sloping]), np.log(stress[sloping]))
    return {
        "stress_at_1e5_mpa": float(np.exp(fit.intercept + fit.slope * np.log(1e5))),
        "endurance_limit_mpa": stress[-1],
        "cp_stress_at_1e3_mpa": float(np.exp(fit.intercept + fit.slope * np.log(1e3))),
    }


ROUTES: dict[str, Route] = {
    name: globals()[f"_{name}"] for name in EDITIONS["v4"].families if f"_{name}" in globals()
}


def _tolerance(value: float, decimals: int | None) -> float:
    """Half a unit of the last stored digit, and a little for the second route's own arithmetic."""
    return (0.0 if decimals is None else 0.5 * 10.0**-decimals) + 2e-6 * max(abs(value), 1e-3)


@pytest.mark.sweep
@pytest.mark.parametrize("family", sorted(ROUTES))
def test_every_value_is_confirmed_by_another_derivation(
    family: str,
    items: list[Item],
    drawn_case: Callable[[str], PlotCase[Any]],
    axes_of: Callable[[str], Axes],
    record_property: Callable[[str, object], None],
) -> None:
    decimals = {spec.name: spec.decimals for spec in EDITIONS["v4"].family(family).fields}
    confirmed, disputed = 0, []
    for item in (item for item in items if item.family == family):
        second = ROUTES[family](drawn_case(item.id), axes_of(item.id))
        assert list(second) == list(item.truth)
        for name, stored in item.truth.items():
            assert isinstance(stored, float)
            if abs(second[name] - stored) <= _tolerance(stored, decimals[name]):
                confirmed += 1
            else:
                disputed.append(f"{item.id}.{name}: stored {stored!r}, derived {second[name]!r}")
    record_property("confirmed", confirmed)

    assert disputed == []
    assert confirmed == sum(len(item.truth) for item in items if item.family == family)


def test_the_routes_cover_all_published_values(items: list[Item]) -> None:
    assert {item.family for item in items} == set(ROUTES)
    assert sum(len(item.truth) for item in items) == VALUES
