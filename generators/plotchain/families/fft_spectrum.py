"""Magnitude spectrum of two tones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from generators.plotchain import marks
from generators.plotchain.family import Case, Difficulty, Extent, Family, FieldSpec
from generators.plotchain.numeric import nice_step, np, span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "FftSpectrum", "FftSpectrumParams"]

_TONES_HZ = (
    20.0, 40.0, 50.0, 60.0, 80.0, 100.0, 120.0, 150.0, 180.0, 200.0, 240.0, 300.0, 360.0, 400.0, 480.0, 600.0,
)  # fmt: skip
_SECOND_AMPLITUDE: Final[Mapping[Difficulty, tuple[float, ...]]] = {
    "clean": (),
    "moderate": (0.5, 0.25),
    "edge": (0.5, 0.25, 0.2),
}
_CLEAN_AMPLITUDE = 0.5
_NOISE: Final[Mapping[Difficulty, float]] = {"clean": 0.0, "moderate": 0.01, "edge": 0.03}
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


class FftSpectrum(Family[FftSpectrumParams]):
    """One second of two sines; every tone falls on a bin of 1 Hz. The lower tone always dominates."""

    name = "fft_spectrum"
    params_type = FftSpectrumParams
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {"moderate": "light_noise", "edge": "no_grid_noisy"}
    fields = (
        FieldSpec(name="dominant_frequency_hz", unit="Hz", decimals=0),
        FieldSpec(name="secondary_frequency_hz", unit="Hz", decimals=0),
        FieldSpec(name="cp_peak_ratio", unit="unitless", decimals=1),
    )
    question_text = (
        "From the FFT magnitude plot, estimate:\n1) dominant_frequency_hz (Hz)\n"
        "2) secondary_frequency_hz (Hz)\nReturn numeric JSON."
    )

    def sample(self, draws: Draws) -> FftSpectrumParams:
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

    def truth(self, params: FftSpectrumParams) -> Mapping[str, float]:
        """Return both tones, the stronger first, and the ratio of their linear amplitudes."""
        return {
            "dominant_frequency_hz": params.f1_hz,
            "secondary_frequency_hz": params.f2_hz,
            "cp_peak_ratio": params.a1 / params.a2,
        }

    def extent(self, case: Case[FftSpectrumParams]) -> Extent:
        """Return 0 Hz to half the sample rate and the range of the noisy spectrum in dB."""
        f, magnitude_db = _spectrum(case)
        low, high = span(magnitude_db)
        return Extent(
            x_min=float(f[0]),
            x_max=float(f[-1]),
            y_min=low,
            y_max=high,
            tick_step_x=nice_step(float(f[-1]), 6),
            tick_step_y=nice_step(high - low, 5),
        )

    def draw(self, axes: Axes, case: Case[FftSpectrumParams]) -> None:
        """Draw the noisy spectrum, gridded unless edge."""
        marks.curve(axes, *_spectrum(case), width_pt=1.2)
        marks.name_axes(axes, title="FFT Magnitude Spectrum", x="Frequency (Hz)", y="Magnitude (dB, normalized)")
        if case.difficulty != "edge":
            marks.grid(axes)


def _spectrum(case: Case[FftSpectrumParams]) -> tuple[FloatArray, FloatArray]:
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
