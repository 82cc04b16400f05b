"""How well the reader reads the plots: a sample by default, whole sets when asked for."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import pytest

from bench.models.reader.reader import read
from generators.plotchain import load_jsonl
from generators.plotchain.source import PlotChainSource
from tests.bench.models.reader.restyled import STYLES, Style, restyled
from tests.bench.models.reader.tally import Tally, confused, tally

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generators.items import Item


def chosen(seed: int, indices: Iterable[int]) -> list[Item]:
    source, wanted = PlotChainSource(seed=seed), set(indices)
    return [source.item(ref) for ref in source.cases if ref.index in wanted]


@pytest.mark.parametrize("seed", [0, 3])
def test_a_sample_of_every_family_is_read(seed: int) -> None:
    found = tally(chosen(seed, [7 + seed]))
    assert found.misses == []


@pytest.mark.slow
def test_the_whole_set_is_read() -> None:
    found = tally(chosen(0, range(30)))
    assert found.rate("plotread") >= 0.99
    assert found.rate("strict") >= 0.97
    assert found.far == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_other_seeds_are_read(seed: int) -> None:
    found = tally(chosen(seed, range(30)))
    assert found.rate("plotread") >= 0.99
    assert found.far == []


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


@pytest.mark.parametrize("name", ["12 pt", "jpeg 90", "red curve", "200 dpi"])
def test_one_plot_in_another_style_is_read(name: str) -> None:
    found = Tally()
    (item,) = [item for item in chosen(4, [2]) if item.family == "torque_speed"]
    found.see(item, restyled(item, STYLES[name]))
    assert found.misses == []


def named(seed_and_id: str) -> Item:
    seed, item_id = seed_and_id.split()
    source = PlotChainSource(seed=int(seed))
    return source.item(source.case(item_id))


CLOSE_LINES = ("2 fft_spectrum_020", "4 fft_spectrum_006", "6 fft_spectrum_012", "10 fft_spectrum_009")
"""Seed and id: two tones 10 Hz, 6.6 pixels, apart, with a ratio of 2 or 4, clean and noisy."""


@pytest.mark.parametrize("name", CLOSE_LINES)
def test_two_spectrum_lines_in_touch_are_told_apart(name: str) -> None:
    assert tally([named(name)]).misses == []


@pytest.mark.parametrize(("gap_hz", "told_apart"), [(4.0, False), (8.0, True)])
def test_lines_too_close_for_a_gap_are_null_even_where_noise_has_peaks(gap_hz: float, told_apart: bool) -> None:
    source = PlotChainSource()
    item = source.item(source.case("fft_spectrum_000"))
    picture: Any = item.picture
    params = {**picture.params, "f1_hz": 100.0, "f2_hz": 100.0 + gap_hz, "noise": 0.03}
    drawn = restyled(dataclasses.replace(item, picture=dataclasses.replace(picture, params=params)), Style())
    answer = json.loads(read(drawn, item.prompt).text.splitlines()[-1])
    found = [answer["dominant_frequency_hz"], answer["secondary_frequency_hz"]]
    assert found == (pytest.approx([100.0, 100.0 + gap_hz], abs=1.0) if told_apart else [None, None])


CLOSE_TONES = ("3 spectrogram_021", "4 spectrogram_021", "8 spectrogram_022")
"""Seed and id: each tone's rows stay bright when the other one sounds, 20 Hz away."""


@pytest.mark.parametrize("name", CLOSE_TONES)
def test_the_switch_between_close_tones_is_found(name: str) -> None:
    assert tally([named(name)]).misses == []


CONFUSED = {
    "bandpass_response_000": ("fft_spectrum", "pole_zero"),
    "bode_magnitude_000": ("bode_phase", "fft_spectrum"),
    "iv_diode_000": ("fft_spectrum", "pole_zero", "time_waveform"),
    "iv_resistor_000": ("stress_strain", "torque_speed", "transfer_characteristic"),
    "pole_zero_000": ("fft_spectrum", "iv_resistor", "time_waveform"),
    "spectrogram_029": ("bandpass_response", "sn_curve"),
    "step_response_000": ("stress_strain",),
    "torque_speed_000": ("iv_resistor", "pump_curve", "stress_strain", "transfer_characteristic"),
    "transfer_characteristic_000": ("stress_strain",),
}
"""Pictures that once gave numbers for other kinds of plots."""


@pytest.mark.parametrize("item_id", CONFUSED)
def test_a_plot_of_another_kind_than_asked_for_gives_no_number(item_id: str) -> None:
    source = PlotChainSource()
    others = [source.item(source.case(f"{family}_000")) for family in CONFUSED[item_id]]
    assert confused([source.item(source.case(item_id))], others) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_kind_of_plot_is_taken_for_another(seed: int) -> None:
    found = confused(chosen(seed, (0, 14, 29)), chosen(seed, [0]))
    print("\n".join(found))
    assert found == []
