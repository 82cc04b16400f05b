"""Spectrogram of a tone that switches to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generators.plotchain.family import Extent, FieldSpec, PlotFamily
from generators.plotchain.numeric import np
from generators.plotchain.v4 import marks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from generators.plotchain.family import Difficulty, PlotCase, PlotDraws, StoredParams
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "Spectrogram", "SpectrogramParams"]

_TONES_HZ = (50.0, 80.0, 100.0, 120.0, 150.0, 200.0, 240.0, 300.0, 360.0)
_SAMPLE_RATE_HZ: Final[dict[Difficulty, float]] = {"clean": 2000.0, "moderate": 2000.0, "edge": 1600.0}
_DURATION_S: Final[dict[Difficulty, float]] = {"clean": 2.0, "moderate": 2.0, "edge": 1.6}
_NOISE: Final[dict[Difficulty, float]] = {"clean": 0.0, "moderate": 0.03, "edge": 0.06}
_NOISE_STREAM = 43
_WINDOW = 256
_OVERLAP = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class SpectrogramParams:
    """Sample rate in Hz, duration and switch time in s, tones in Hz in time order, noise sigma."""

    fs_hz: float
    duration_s: float
    switch_time_s: float
    f1_hz: float
    f2_hz: float
    noise: float


class Spectrogram(PlotFamily[SpectrogramParams]):
    """A unit sine at f1, from half time on at f2; Hann windows of 256 samples, half overlapping."""

    name = "spectrogram"
    params_type = SpectrogramParams
    edge_tag = "shorter_noisier"
    fields = (
        FieldSpec(name="f1_hz", unit="Hz", decimals=0, hinted=False),
        FieldSpec(name="f2_hz", unit="Hz", decimals=0, hinted=False),
        FieldSpec(name="switch_time_s", unit="s", decimals=2, hinted=False),
        FieldSpec(name="cp_duration_s", unit="s", decimals=2, hinted=False),
    )
    question_text = (
        "From the spectrogram, estimate:\n1) f1_hz (Hz) before the switch\n2) f2_hz (Hz) after the switch\n"
        "3) switch_time_s (s)\nReturn numeric JSON."
    )

    def sample(self, draws: PlotDraws) -> SpectrogramParams:
        """Draw two tones; their drawn order is their order in time."""
        before, after = draws.pick_two(_TONES_HZ)
        duration = _DURATION_S[draws.difficulty]
        return SpectrogramParams(
            fs_hz=_SAMPLE_RATE_HZ[draws.difficulty],
            duration_s=duration,
            switch_time_s=duration / 2.0,
            f1_hz=before,
            f2_hz=after,
            noise=_NOISE[draws.difficulty],
        )

    def truth(self, params: SpectrogramParams) -> dict[str, float]:
        """Return both tones, the switch time and the duration of the whole signal."""
        return {
            "f1_hz": params.f1_hz,
            "f2_hz": params.f2_hz,
            "switch_time_s": params.switch_time_s,
            "cp_duration_s": params.duration_s,
        }

    def extent(self, case: PlotCase[SpectrogramParams]) -> Extent:
        """Return duration and half the sample rate; the drawn time axis covers window centres only."""
        params = case.params
        return Extent.with_nice_steps(x=(0.0, params.duration_s), y=(0.0, params.fs_hz / 2.0), intervals=(6, 5))

    def draw(self, axes: Axes, case: PlotCase[SpectrogramParams]) -> None:
        """Draw the spectrogram image; never a grid or a colour bar."""
        axes.specgram(_signal(case), NFFT=_WINDOW, Fs=case.params.fs_hz, noverlap=_OVERLAP)
        marks.name_axes(axes, title="Spectrogram (Tone Switch)", x="Time (s)", y="Frequency (Hz)")

    def baseline(self, p: StoredParams) -> dict[str, float]:
        """Return the fields from the mean step of a phase that accumulates sample by sample."""
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


def _signal(case: PlotCase[SpectrogramParams]) -> FloatArray:
    """Sample the switched tone with its noise, `fs * duration` values without unit."""
    params = case.params
    t = np.arange(0.0, params.duration_s, 1.0 / params.fs_hz)
    tone_hz = np.where(t < params.switch_time_s, params.f1_hz, params.f2_hz)
    signal = np.sin(2.0 * np.pi * tone_hz * t)
    if params.noise > 0.0:
        noise = np.random.default_rng(case.seed + _NOISE_STREAM).normal(0.0, params.noise, size=t.size)
        signal = signal + noise
    return signal


FAMILY = Spectrogram()
