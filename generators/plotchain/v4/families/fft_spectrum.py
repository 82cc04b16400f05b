"""Magnitude spectrum of two tones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np, span
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "FftSpectrum", "FftSpectrumParams"]

_TONES_HZ = (
    20.0, 40.0, 50.0, 60.0, 80.0, 100.0, 120.0, 150.0, 180.0, 200.0, 240.0, 300.0, 360.0, 400.0, 480.0, 600.0,
)  # fmt: skip
_SECOND_AMPLITUDE: Final[dict[Difficulty, tuple[float, ...]]] = {
    "clean": (),
    "moderate": (0.5, 0.25),
    "edge": (0.5, 0.25, 0.2),
}
_CLEAN_AMPLITUDE = 0.5
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.0, "moderate": 0.01, "edge": 0.03}
_NOISE_STREAM = 31
_FLOOR = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class FftSpectrumParams:
    """Sample rate in Hz, samples, tones in Hz (lower first), linear amplitudes, noise sigma in time."""

    fs_hz: float
    N: int
    f1_hz: float
    f2_hz: float
    a1: float
    a2: float
    noise: float


class FftSpectrum(PlotFamily[FftSpectrumParams]):
    """One second of two sines; every tone falls on a bin of 1 Hz. The lower tone always dominates."""

    name = "fft_spectrum"
    params_type = FftSpectrumParams
    moderate_tag = "light_noise"
    edge_tag = "no_grid_noisy"
    fields = (
        FieldSpec(name="dominant_frequency_hz", unit="Hz", decimals=0),
        FieldSpec(name="secondary_frequency_hz", unit="Hz", decimals=0),
        FieldSpec(name="cp_peak_ratio", unit="unitless", decimals=1),
    )
    question_text = (
        "From the FFT magnitude plot, estimate:\n1) dominant_frequency_hz (Hz)\n"
        "2) secondary_frequency_hz (Hz)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> FftSpectrumParams:
        """Draw two tones, then the second amplitude unless clean."""
        lower, upper = sorted(draws.pick_two(_TONES_HZ))
        amplitudes = _SECOND_AMPLITUDE[draws.difficulty]
        return FftSpectrumParams(
            fs_hz=2048.0,
            N=2048,
            f1_hz=lower,
            f2_hz=upper,
            a1=1.0,
            a2=draws.pick(amplitudes) if amplitudes else _CLEAN_AMPLITUDE,
            noise=_NOISE[draws.difficulty],
        )

    def truth(self, params: FftSpectrumParams) -> dict[str, float]:
        """Return both tones, the stronger first, and the ratio of their linear amplitudes."""
        return {
            "dominant_frequency_hz": params.f1_hz,
            "secondary_frequency_hz": params.f2_hz,
            "cp_peak_ratio": params.a1 / params.a2,
        }

    def extent(self, case: PlotCase[FftSpectrumParams]) -> Extent:
        """Return 0 Hz to half the sample rate and the range of the noisy spectrum in dB."""
        f, magnitude_db = _spectrum(case)
        return Extent.with_nice_steps(x=(float(f[0]), float(f[-1])), y=span(magnitude_db), intervals=(6, 5))

    def draw(self, axes: Axes, case: PlotCase[FftSpectrumParams]) -> None:
        """Draw the noisy spectrum, gridded unless edge."""
        marks.curve(axes, *_spectrum(case), width_pt=1.2)
        marks.name_axes(axes, title="FFT Magnitude Spectrum", x="Frequency (Hz)", y="Magnitude (dB, normalized)")
        if case.difficulty != "edge":
            marks.grid(axes)

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the transform of the two tones without noise."""
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


def _spectrum(case: PlotCase[FftSpectrumParams]) -> tuple[FloatArray, FloatArray]:
    """Return N/2 + 1 bin frequencies in Hz and magnitudes in dB below the largest, at least -240."""
    params = case.params
    t = np.arange(params.N) / params.fs_hz
    signal = params.a1 * np.sin(2.0 * np.pi * params.f1_hz * t)
    signal = signal + params.a2 * np.sin(2.0 * np.pi * params.f2_hz * t)
    if params.noise > 0.0:
        noise = np.random.default_rng(case.seed + _NOISE_STREAM).normal(0.0, params.noise, size=params.N)
        signal = signal + noise
    magnitude = np.abs(np.fft.rfft(signal))
    relative = np.maximum(magnitude / magnitude.max(), _FLOOR)
    f = np.arange(params.N // 2 + 1, dtype=np.float64) * (params.fs_hz / params.N)
    return f, 20.0 * np.log10(relative)


FAMILY = FftSpectrum()
