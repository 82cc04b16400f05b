"""Plots with units on their axes, lettered lines, noisy bands and scattered points; one module for each kind."""

from bench.models.reader.plots.families.v5 import (
    bandpass_response,
    bode_magnitude,
    bode_phase,
    falling_curve,
    fft_spectrum,
    iv_diode,
    iv_resistor,
    pole_zero,
    sn_curve,
    spectrogram,
    step_response,
    stress_strain,
    time_waveform,
    transfer_characteristic,
)

__all__ = [
    "bandpass_response",
    "bode_magnitude",
    "bode_phase",
    "falling_curve",
    "fft_spectrum",
    "iv_diode",
    "iv_resistor",
    "pole_zero",
    "sn_curve",
    "spectrogram",
    "step_response",
    "stress_strain",
    "time_waveform",
    "transfer_characteristic",
]
