"""Spectrogram of a tone that switches to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from generators.plotchain import marks
from generators.plotchain.family import Case, Difficulty, Extent, Family, FieldSpec
from generators.plotchain.numeric import nice_step, np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.plotchain.draws import Draws
    from generators.plotchain.numeric import FloatArray

__all__ = ["FAMILY", "Spectrogram", "SpectrogramParams"]

_TONES_HZ = (50.0, 80.0, 100.0, 120.0, 150.0, 200.0, 240.0, 300.0, 360.0)
_SAMPLE_RATE_HZ: Final[Mapping[Difficulty, float]] = {"clean": 2000.0, "moderate": 2000.0, "edge": 1600.0}
_DURATION_S: Final[Mapping[Difficulty, float]] = {"clean": 2.0, "moderate": 2.0, "edge": 1.6}
_NOISE: Final[Mapping[Difficulty, float]] = {"clean": 0.0, "moderate": 0.03, "edge": 0.06}
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


class Spectrogram(Family[SpectrogramParams]):
    """A unit sine at f1, from half time on at f2; Hann windows of 256 samples, half overlapping."""

    name = "spectrogram"
    params_type = SpectrogramParams
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {"edge": "shorter_noisier"}
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

    def sample(self, draws: Draws) -> SpectrogramParams:
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

    def truth(self, params: SpectrogramParams) -> Mapping[str, float]:
        """Return both tones, the switch time and the duration of the whole signal."""
        return {
            "f1_hz": params.f1_hz,
            "f2_hz": params.f2_hz,
            "switch_time_s": params.switch_time_s,
            "cp_duration_s": params.duration_s,
        }

    def extent(self, case: Case[SpectrogramParams]) -> Extent:
        """Return duration and half the sample rate; the drawn time axis covers window centres only."""
        params = case.params
        return Extent(
            x_min=0.0,
            x_max=params.duration_s,
            y_min=0.0,
            y_max=params.fs_hz / 2.0,
            tick_step_x=nice_step(params.duration_s, 6),
            tick_step_y=nice_step(params.fs_hz / 2.0, 5),
        )

    def draw(self, axes: Axes, case: Case[SpectrogramParams]) -> None:
        """Draw the spectrogram image; never a grid or a colour bar."""
        axes.specgram(_signal(case), NFFT=_WINDOW, Fs=case.params.fs_hz, noverlap=_OVERLAP)
        marks.name_axes(axes, title="Spectrogram (Tone Switch)", x="Time (s)", y="Frequency (Hz)")


def _signal(case: Case[SpectrogramParams]) -> FloatArray:
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
