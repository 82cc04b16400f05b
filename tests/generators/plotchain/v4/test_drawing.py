"""What each family draws at each difficulty, read from the axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.colors import to_hex

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item
    from generators.plotchain import PlotChainSource

_FREQUENCY = "Frequency (Hz)"


@dataclass(frozen=True)
class Look:
    """What is the same at all difficulties."""

    title: str
    x: str
    y: str
    width_pt: float | None
    log_x: bool = False
    minor_grid: bool = False


LOOKS = {
    "bandpass_response": Look("Bandpass Magnitude (2nd-order)", _FREQUENCY, "Magnitude (dB)", 1.4, True, True),
    "bode_magnitude": Look("Bode Magnitude (1st-order Low-pass)", _FREQUENCY, "Magnitude (dB)", 1.4, True, True),
    "bode_phase": Look("Bode Phase (1st-order Low-pass)", _FREQUENCY, "Phase (deg)", 1.4, True, True),
    "fft_spectrum": Look("FFT Magnitude Spectrum", _FREQUENCY, "Magnitude (dB, normalized)", 1.2),
    "iv_diode": Look("IV Curve (Diode) — I vs V", "Voltage (V)", "Current (A)", 1.4),
    "iv_resistor": Look("IV Curve (Resistor) — V vs I", "Current (A)", "Voltage (V)", 1.4),
    "pole_zero": Look("Pole-Zero Plot", "Real", "Imag", None),
    "pump_curve": Look("Pump Curve (Head vs Flow)", "Flow Q (m³/h)", "Head H (m)", 1.6),
    "sn_curve": Look("S–N Curve (Fatigue)", "Cycles N (log scale)", "Stress (MPa)", 1.6, True, True),
    "spectrogram": Look("Spectrogram (Tone Switch)", "Time (s)", _FREQUENCY, None),
    "step_response": Look("Step Response (2nd-order)", "Time (s)", "Amplitude", 1.4),
    "stress_strain": Look("Stress–Strain Curve", "Strain", "Stress (MPa)", 1.6),
    "time_waveform": Look("Time Waveform (", "Time (s)", "Voltage (V)", 1.3),
    "torque_speed": Look("Torque–Speed Curve", "Speed (rpm)", "Torque (N·m)", 1.6),
    "transfer_characteristic": Look("Transfer Characteristic (Saturating Amplifier)", "Vin (V)", "Vout (V)", 1.4),
}
DIFFICULTIES = ("clean", "moderate", "edge")
BLUE, ORANGE = "#1f77b4", "#ff7f0e"

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def first(source: PlotChainSource, axes_of: Callable[[str], Axes]) -> Callable[[str, str], tuple[Item, Axes]]:
    """Function from family and difficulty to the first such item and its axes, laid out once."""

    @cache
    def find(family: str, difficulty: str) -> tuple[Item, Axes]:
        case = next(case for case in source.cases if (case.family, case.difficulty) == (family, difficulty))
        axes = axes_of(case.id)
        figure = axes.get_figure(root=True)
        assert figure is not None
        figure.draw_without_rendering()
        return source.item(case), axes

    return find


def _grid_is_on(ticks: list[Any]) -> bool:
    return bool(ticks) and all(tick.gridline.get_visible() for tick in ticks)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("family", sorted(LOOKS))
def test_names_curve_scale_and_grid(family: str, difficulty: str, first: Any) -> None:
    look = LOOKS[family]
    _, axes = first(family, difficulty)

    assert axes.get_title().startswith(look.title)
    assert (axes.get_xlabel(), axes.get_ylabel()) == (look.x, look.y)
    assert axes.get_xscale() == ("log" if look.log_x else "linear")
    assert axes.get_yscale() == "linear"
    if look.width_pt is not None:
        assert axes.lines[0].get_linewidth() == look.width_pt
        assert to_hex(axes.lines[0].get_color()) == BLUE
    gridded = difficulty != "edge" and family != "spectrogram"
    assert _grid_is_on(axes.xaxis.get_major_ticks()) == gridded
    assert _grid_is_on(axes.yaxis.get_major_ticks()) == gridded
    assert _grid_is_on(axes.xaxis.get_minor_ticks()) == (gridded and look.minor_grid)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("family", [family for family in sorted(LOOKS) if family != "pole_zero"])
def test_figure_and_axes_box_have_the_published_size(family: str, difficulty: str, first: Any) -> None:
    _, axes = first(family, difficulty)

    assert axes.figure.get_size_inches().tolist() == [6.0, 3.6]
    assert axes.figure.dpi == 160
    assert (axes.bbox.width, axes.bbox.height) == pytest.approx((744.0, 443.52))


_AUTOMATIC = (
    "bandpass_response",
    "bode_magnitude",
    "bode_phase",
    "fft_spectrum",
    "iv_diode",
    "iv_resistor",
    "step_response",
    "time_waveform",
    "transfer_characteristic",
)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("family", _AUTOMATIC)
def test_limits_are_the_curves_range_and_five_percent(family: str, difficulty: str, first: Any) -> None:
    _, axes = first(family, difficulty)
    x, y = (np.asarray(values, dtype=float) for values in axes.lines[0].get_data())
    x, limits = (
        (np.log10(x), np.log10(axes.get_xlim())) if LOOKS[family].log_x else (x, np.asarray(axes.get_xlim()))
    )

    assert limits == pytest.approx([x.min() - 0.05 * np.ptp(x), x.max() + 0.05 * np.ptp(x)])
    assert axes.get_ylim() == pytest.approx((y.min() - 0.05 * np.ptp(y), y.max() + 0.05 * np.ptp(y)))


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("family", ["pole_zero", "stress_strain", "torque_speed", "pump_curve", "sn_curve"])
def test_stored_limits_and_tick_steps_are_the_drawn_ones(family: str, difficulty: str, first: Any) -> None:
    item, axes = first(family, difficulty)
    stored = item.extra["generation"]

    assert axes.get_xlim() == (stored["x_min"], stored["x_max"])
    assert axes.get_ylim() == (stored["y_min"], stored["y_max"])
    for ticks, step, high in (
        (axes.get_xticks(), stored["tick_step_x"], stored["x_max"]),
        (axes.get_yticks(), stored["tick_step_y"], stored["y_max"]),
    ):
        if step is not None:
            assert np.diff(ticks) == pytest.approx(step)
            assert high - step < ticks[-1] <= high * (1.0 + 1e-9)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_sn_ticks_are_named_by_powers(difficulty: str, first: Any) -> None:
    _, axes = first("sn_curve", difficulty)

    assert [label.get_text() for label in axes.get_xticklabels()] == ["1e3", "1e4", "1e5", "1e6", "1e7"]


@pytest.mark.parametrize(("difficulty", "points"), [("clean", 700), ("moderate", 550), ("edge", 450)])
def test_step_response_has_its_samples_and_no_helpers(difficulty: str, points: int, first: Any) -> None:
    _, axes = first("step_response", difficulty)

    assert [len(line.get_xdata()) for line in axes.lines] == [points]
    assert (len(axes.texts), len(axes.collections)) == (0, 0)


@pytest.mark.parametrize(
    ("family", "offset", "relative", "sigmas"),
    [
        ("step_response", 17, False, (0.0, 0.003, 0.006)),
        ("iv_diode", 59, True, (0.0, 0.03, 0.06)),
        ("stress_strain", 0, True, (0.0, 0.0, 0.006)),
    ],
)
def test_noise_has_its_own_stream_and_strength(
    family: str, offset: int, relative: bool, sigmas: tuple[float, ...], first: Any
) -> None:
    for difficulty, sigma in zip(DIFFICULTIES, sigmas, strict=True):
        item, axes = first(family, difficulty)
        y = np.asarray(axes.lines[0].get_ydata(), dtype=float)
        rng = np.random.default_rng(item.extra["generation"]["seed"] + offset)
        noise = sigma * rng.normal(0.0, 1.0, size=y.size)
        clean = y / (1.0 + noise) if relative else y - noise
        rough, smooth = (np.median(np.abs(np.diff(values, 2))) for values in (y, clean))

        assert (rough > 5.0 * smooth) == (sigma > 0.0)
        assert smooth < 1e-3 * np.ptp(y)


@pytest.mark.parametrize(("family", "peak"), [("bode_magnitude", None), ("bode_phase", -45.0)])
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_bode_plots_mark_corner_and_query_frequency(
    family: str, peak: float | None, difficulty: str, first: Any
) -> None:
    item, axes = first(family, difficulty)
    vertical = {line.get_linestyle(): line for line in axes.lines[1:]}
    corner_level = item.truth["dc_gain_db"] - 3.0103 if peak is None else peak

    assert vertical[":"].get_xdata()[0] == item.params["fq_hz"]
    assert vertical[":"].get_alpha() == 0.9
    query = next(text for text in axes.texts if text.get_text() == "f_q")
    assert query.get_rotation() == 90.0
    assert query.get_window_extent().y1 < axes.bbox.y0 + axes.bbox.height / 4
    if difficulty == "edge":
        assert (set(vertical), len(axes.collections), len(axes.texts)) == ({":"}, 0, 1)
    else:
        assert vertical["--"].get_xdata()[0] == item.params["fc_hz"]
        assert vertical["--"].get_alpha() == 0.6
        assert axes.collections[0].get_offsets().tolist() == [
            pytest.approx([item.params["fc_hz"], corner_level], abs=1e-3)
        ]
        named = next(text for text in axes.texts if text.get_text() == "fc")
        assert named.get_window_extent().y0 > axes.bbox.y1 - 30


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_bandpass_marks_its_half_power_points(difficulty: str, first: Any) -> None:
    item, axes = first("bandpass_response", difficulty)
    helpers = axes.lines[1:]

    if difficulty == "edge":
        assert (len(helpers), len(axes.texts)) == (0, 0)
        return
    horizontal, lower, upper = helpers
    assert {(line.get_linestyle(), line.get_alpha()) for line in helpers} == {("--", 0.6)}
    assert horizontal.get_ydata()[0] == max(axes.lines[0].get_ydata()) - 3.0
    assert lower.get_xdata()[0] == item.truth["cp_f1_3db_hz"]
    assert upper.get_xdata()[0] == item.truth["cp_f2_3db_hz"]
    assert [text.get_text() for text in axes.texts] == ["f0"]
    assert axes.texts[0].get_position() == (item.truth["resonance_hz"], max(axes.lines[0].get_ydata()))


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_diode_shows_and_names_the_target_current(difficulty: str, first: Any) -> None:
    item, axes = first("iv_diode", difficulty)
    target = item.truth["target_current_a"]

    assert (axes.lines[1].get_ydata()[0], axes.lines[1].get_linestyle(), axes.lines[1].get_alpha()) == (
        target,
        "--",
        0.8,
    )
    assert [text.get_text() for text in axes.texts] == [f"I_target={target:.3f} A"]
    assert axes.texts[0].get_position() == (0.0, target)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_fft_shows_its_range(difficulty: str, first: Any) -> None:
    item, axes = first("fft_spectrum", difficulty)
    f, level = axes.lines[0].get_data()

    assert (f[0], f[-1], len(f)) == (0.0, 1024.0, 1025)
    assert max(level) == 0.0
    assert min(level) == item.extra["generation"]["y_min"]
    low, high = {"clean": (-240.0, -240.0), "moderate": (-114.0, -93.0), "edge": (-98.0, -83.0)}[difficulty]
    assert low <= min(level) <= high


@pytest.mark.parametrize(
    ("difficulty", "start", "end", "top"),
    [("clean", 0.032, 1.952, 1000.0), ("moderate", 0.032, 1.952, 1000.0), ("edge", 0.04, 1.56, 800.0)],
)
def test_spectrogram_covers_the_published_range(
    difficulty: str, start: float, end: float, top: float, first: Any
) -> None:
    _, axes = first("spectrogram", difficulty)
    image = axes.images[0]

    assert image.get_cmap().name == "viridis"
    assert image.get_array().shape[0] == 129
    assert axes.get_xlim() == pytest.approx((start, end))
    assert axes.get_ylim() == (0.0, top)
    assert len(axes.figure.axes) == 1


@pytest.mark.parametrize(("difficulty", "step"), [("clean", 1.0), ("moderate", 2.0), ("edge", 5.0)])
def test_pole_zero_marks_on_a_square_plane(difficulty: str, step: float, first: Any) -> None:
    item, axes = first("pole_zero", difficulty)
    zero, pole = axes.collections

    assert axes.figure.get_size_inches().tolist() == [5.2, 5.2]
    assert np.diff(axes.get_xticks()).tolist() == np.diff(axes.get_yticks()).tolist() == [step] * int(20 / step)
    assert zero.get_offsets().tolist() == [[item.truth["zero_real"], item.truth["zero_imag"]]]
    assert pole.get_offsets().tolist() == [[item.truth["pole_real"], item.truth["pole_imag"]]]
    assert zero.get_facecolor().tolist() == []
    assert zero.get_edgecolor().tolist() == pole.get_edgecolor().tolist() == [[0.0, 0.0, 0.0, 1.0]]
    assert zero.get_sizes().tolist() == pole.get_sizes().tolist() == [70.0]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in axes.lines] == [(0.0, 0.0), (0.0, 0.0)]
    assert {to_hex(line.get_color()) for line in axes.lines} == {BLUE}


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_stress_strain_dots_both_corners_when_clean(difficulty: str, first: Any) -> None:
    item, axes = first("stress_strain", difficulty)
    dots = [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in axes.lines[1:]]
    corners = [
        (item.truth["cp_yield_strain"], item.truth["yield_strength_mpa"]),
        (item.truth["cp_uts_strain"], item.truth["uts_mpa"]),
    ]

    assert dots == (corners if difficulty == "clean" else [])
    assert len(axes.lines[0].get_xdata()) == 500


@pytest.mark.parametrize(
    ("family", "fields", "samples"),
    [
        ("torque_speed", ("speed_q_rpm", "cp_torque_at_speed_q_nm"), 200),
        ("pump_curve", ("q_op_m3h", "head_at_qop_m"), 400),
    ],
)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_an_unlabelled_dot_stands_on_the_curve(
    family: str, fields: tuple[str, str], samples: int, difficulty: str, first: Any
) -> None:
    x, y = fields
    item, axes = first(family, difficulty)
    curve, dot = axes.lines

    assert len(curve.get_xdata()) == samples
    assert dot.get_xdata()[0] == item.params[x]
    assert dot.get_ydata()[0] == pytest.approx(item.truth[y], abs=0.051)
    assert (dot.get_marker(), to_hex(dot.get_color()), len(axes.texts)) == ("o", ORANGE, 0)


@pytest.mark.parametrize(
    ("difficulty", "cycles", "rate"), [("clean", 4.0, 4000), ("moderate", 2.5, 3200), ("edge", 1.1, 2600)]
)
def test_waveform_window_and_title(difficulty: str, cycles: float, rate: float, first: Any) -> None:
    item, axes = first("time_waveform", difficulty)
    t = axes.lines[0].get_xdata()

    assert axes.get_title() == f"Time Waveform ({item.params['wave_type']})"
    assert np.diff(t) == pytest.approx(1.0 / rate)
    assert t[-1] < cycles / item.truth["frequency_hz"] <= t[-1] + 1.001 / rate
    assert item.params["t_end_s"] == pytest.approx(cycles / item.truth["frequency_hz"])


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_resistor_and_transfer_have_one_curve_and_nothing_else(difficulty: str, first: Any) -> None:
    for family, samples in (("iv_resistor", 60), ("transfer_characteristic", 200)):
        _, axes = first(family, difficulty)

        assert [len(line.get_xdata()) for line in axes.lines] == [samples]
        assert (len(axes.texts), len(axes.collections)) == (0, 0)
