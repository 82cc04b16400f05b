"""How well the reader reads the plots of both editions: a sample by default, whole sets when asked for."""

from __future__ import annotations

import dataclasses
import io
import json
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pytest
from PIL import Image

from bench.models.reader.plots.families import PlotEdition, find_family, plot_families
from bench.models.reader.plots.readings import CannotReadError
from bench.models.reader.reading import read
from generators.plotchain import load_jsonl
from generators.plotchain.source import PlotChainSource
from tests.bench.models.reader.plots.evidence import STYLES, Style, Tally, confused, restyled, tally
from tests.bench.models.reader.sweep import sweep

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generators.items import Item

FAMILIES = [family.name for family in plot_families("V5")]
NOISY = {"fft_spectrum", "iv_diode", "iv_resistor", "spectrogram", "step_response", "time_waveform"}
SAMPLE = [
    (family, difficulty)
    for family in FAMILIES
    for difficulty in ("moderate" if family in NOISY else "clean", "edge")
]
TUNED_ON = (101, 102)
"""Seeds of v5 that thresholds were chosen on."""


def chosen(seed: int, indices: Iterable[int], *, edition: Literal["v4", "v5"] = "v4") -> list[Item]:
    source, wanted = PlotChainSource(seed=seed, edition=edition), set(indices)
    return [source.item(ref) for ref in source.cases if ref.index in wanted]


def named(seed_and_id: str) -> Item:
    seed, item_id = seed_and_id.split()
    source = PlotChainSource(seed=int(seed))
    return source.item(source.case(item_id))


def first_of(family: str, difficulty: str) -> Item:
    """The first plot of a family in v5 that has a difficulty."""
    source = PlotChainSource(seed=7, edition="v5")
    items = (source.item(ref) for ref in source.cases if ref.family == family)
    return next(item for item in items if item.difficulty == difficulty)


def answers(picture: bytes, item: Item) -> dict[str, float | None]:
    found: dict[str, float | None] = json.loads(read(picture, item.prompt).text.splitlines()[-1])
    return found


@pytest.mark.parametrize("edition", get_args(PlotEdition))
def test_each_kind_of_plot_is_found_by_its_fields(edition: PlotEdition) -> None:
    families = plot_families(edition)
    assert len(families) == 15
    for family in families:
        assert find_family(family.fields, edition) is family
    with pytest.raises(CannotReadError, match="belong to no kind of plot"):
        find_family(["cutoff_hz"], edition)


@pytest.mark.parametrize(
    ("seed", "family"), sweep(product([0, 3], FAMILIES), default=[(0, name) for name in FAMILIES[::3]])
)
def test_a_sample_of_every_family_of_v4_is_read(seed: int, family: str) -> None:
    assert tally([named(f"{seed} {family}_{7 + seed:03d}")]).misses == []


@pytest.mark.parametrize(("family", "difficulty"), sweep(SAMPLE, default=SAMPLE[3::6]))
def test_a_sample_of_every_family_of_v5_is_read(family: str, difficulty: str) -> None:
    assert tally([first_of(family, difficulty)]).misses == []


def test_each_field_says_how_it_was_read_and_how_far_the_curve_lies_off() -> None:
    item = first_of("bode_magnitude", "clean")
    lines = read(item.picture.png(), item.prompt).text.splitlines()
    assert lines[0] == "dc_gain_db: direct, the dashed line"
    assert lines[1].startswith("cutoff_hz: fit, a low-pass below the dashed line, median distance 0.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "seed"), [*(("v4", seed) for seed in range(11)), *(("v5", seed) for seed in range(6))]
)
def test_whole_sets_are_read(edition: Literal["v4", "v5"], seed: int) -> None:
    assert seed not in TUNED_ON
    found = tally(chosen(seed, range(30), edition=edition))
    assert found.rate("plotread") >= 0.99
    assert found.far == []
    if edition == "v5" or seed == 0:
        assert found.rate("strict") >= (0.98 if edition == "v5" else 0.97)


@pytest.mark.slow
def test_published_pictures_are_read(shared: Path) -> None:
    folder = shared / "data" / "plotchain"
    items = load_jsonl(folder / "plotchain.jsonl")
    found = tally(item for item in items if (folder / "images" / item.family / f"{item.id}.png").is_file())
    assert found.count["fields"] > 500
    assert found.rate("final") >= 0.99
    assert found.far == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(STYLES))
def test_in_another_style_a_plot_is_read_or_refused_but_not_misread(name: str) -> None:
    found = Tally()
    for item in chosen(4, range(4)):
        found.see(item, restyled(item, STYLES[name]))
    print(name, found)
    assert found.far == []
    assert found.wrong <= 0.01 * found.count["fields"]


@pytest.mark.parametrize("name", sweep(["12 pt", "200 dpi", "jpeg 90", "red curve"], default=["jpeg 90"]))
def test_one_plot_in_another_style_is_read(name: str) -> None:
    found, item = Tally(), named("4 torque_speed_002")
    found.see(item, restyled(item, STYLES[name]))
    assert found.misses == []


CLOSE_LINES = ("2 fft_spectrum_020", "4 fft_spectrum_006", "6 fft_spectrum_012", "10 fft_spectrum_009")
"""Seed and id: two tones 10 Hz, 6.6 pixels, apart, with a ratio of 2 or 4, clean and noisy."""


@pytest.mark.parametrize("name", sweep(CLOSE_LINES, default=CLOSE_LINES[:1]))
def test_two_spectrum_lines_in_touch_are_told_apart(name: str) -> None:
    assert tally([named(name)]).misses == []


@pytest.mark.parametrize(("gap_hz", "told_apart"), sweep([(4.0, False), (8.0, True)], default=[(4.0, False)]))
def test_lines_too_close_for_a_gap_are_null_even_where_noise_has_peaks(gap_hz: float, told_apart: bool) -> None:
    item = named("0 fft_spectrum_000")
    picture: Any = item.picture
    params = {**picture.params, "f1_hz": 100.0, "f2_hz": 100.0 + gap_hz, "noise": 0.03}
    drawn = restyled(dataclasses.replace(item, picture=dataclasses.replace(picture, params=params)), Style())
    answer = answers(drawn, item)
    found = [answer["dominant_frequency_hz"], answer["secondary_frequency_hz"]]
    assert found == (pytest.approx([100.0, 100.0 + gap_hz], abs=1.0) if told_apart else [None, None])


CLOSE_TONES = ("3 spectrogram_021", "4 spectrogram_021", "8 spectrogram_022")
"""Seed and id: each tone's rows stay bright when the other one sounds, 20 Hz away."""


@pytest.mark.parametrize("name", sweep(CLOSE_TONES, default=CLOSE_TONES[:1]))
def test_the_switch_between_close_tones_is_found(name: str) -> None:
    assert tally([named(name)]).misses == []


def repainted(item: Item, old: str) -> bytes:
    """The picture without the dark neutral marks ("grey") or without the curve ("blue") inside its axes."""
    image = np.array(Image.open(io.BytesIO(item.picture.png())).convert("RGB"))
    inside = image[60:484, 116:918]
    red, blue = inside[:, :, 0].astype(int), inside[:, :, 2].astype(int)
    inside[(np.abs(red - blue) < 20) & (red < 200) if old == "grey" else blue - red > 20] = 255
    content = io.BytesIO()
    Image.fromarray(image).save(content, format="PNG")
    return content.getvalue()


MARKED = ["iv_resistor", "pump_curve", "bode_phase", "bode_magnitude", "iv_diode"]
CURVES = [name for name in FAMILIES if name not in {"pole_zero", "spectrogram"}]


@pytest.mark.parametrize("family", sweep(MARKED, default=["iv_resistor"]))
def test_without_the_marked_line_what_is_asked_there_is_null(family: str) -> None:
    item = first_of(family, "moderate")
    assert set(answers(repainted(item, "grey"), item).values()) == {None}


@pytest.mark.parametrize("family", sweep(CURVES, default=["stress_strain"]))
def test_without_the_curve_every_field_is_null(family: str) -> None:
    item = first_of(family, "clean")
    assert set(answers(repainted(item, "blue"), item).values()) == {None}


@pytest.mark.sweep
def test_the_other_curve_alone_is_no_answer() -> None:
    item = first_of("transfer_characteristic", "edge")
    assert set(answers(repainted(item, "blue"), item).values()) == {None}


CONFUSED = {
    "bandpass_response": ("fft_spectrum", "pole_zero"),
    "bode_magnitude": ("bode_phase", "fft_spectrum"),
    "iv_diode": ("fft_spectrum", "pole_zero", "time_waveform"),
    "iv_resistor": ("stress_strain", "torque_speed", "transfer_characteristic"),
    "pole_zero": ("fft_spectrum", "iv_resistor", "time_waveform"),
    "spectrogram": ("bandpass_response", "sn_curve"),
    "step_response": ("stress_strain",),
    "torque_speed": ("iv_resistor", "pump_curve", "stress_strain", "transfer_characteristic"),
    "transfer_characteristic": ("stress_strain",),
}
"""Plots of v4 that once gave numbers for other kinds of plots: each number 0, and number 29 of spectrograms."""

CONFUSED_V5 = {
    "bandpass_response": ("fft_spectrum", "bode_magnitude"),
    "fft_spectrum": ("time_waveform", "bandpass_response"),
    "pump_curve": ("torque_speed",),
    "spectrogram": ("stress_strain", "time_waveform"),
    "time_waveform": ("step_response",),
}


@pytest.mark.parametrize("family", sweep(CONFUSED, default=["iv_resistor"]))
def test_a_plot_of_another_kind_than_asked_for_gives_no_number(family: str) -> None:
    shown = named(f"0 {family}_{29 if family == 'spectrogram' else 0:03d}")
    assert confused([shown], [named(f"0 {other}_000") for other in CONFUSED[family]]) == []


@pytest.mark.parametrize("family", sweep(CONFUSED_V5, default=["fft_spectrum"]))
def test_a_plot_of_v5_of_another_kind_than_asked_for_gives_no_number(family: str) -> None:
    others = [first_of(other, "clean") for other in CONFUSED_V5[family]]
    assert confused([first_of(family, "clean")], others) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_kind_of_plot_of_v4_is_taken_for_another(seed: int) -> None:
    found = confused(chosen(seed, (0, 14, 29)), chosen(seed, [0]))
    print("\n".join(found))
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", ["clean", "moderate", "edge"])
def test_no_kind_of_plot_of_v5_is_taken_for_another(difficulty: str) -> None:
    items = [first_of(family, difficulty) for family in FAMILIES]
    assert confused(items, items) == []
