"""How well the reader reads edition v5: a sample by default, whole sets when asked for."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from bench.models.reader.plots.registry import OWN_UNIT_FAMILIES
from bench.models.reader.reader import read
from generators.plotchain.source import PlotChainSource
from tests.bench.models.reader.tally import confused, tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generators.items import Item

FAMILIES = sorted(family.name for family in OWN_UNIT_FAMILIES)
NOISY = {"fft_spectrum", "iv_diode", "iv_resistor", "spectrogram", "step_response", "time_waveform"}
TUNED_ON = (101, 102)


def chosen(seed: int, indices: Iterable[int]) -> list[Item]:
    source, wanted = PlotChainSource(seed=seed, edition="v5"), set(indices)
    return [source.item(ref) for ref in source.cases if ref.index in wanted]


def first_of(family: str, difficulty: str, *, seed: int = 7) -> Item:
    source = PlotChainSource(seed=seed, edition="v5")
    items = (source.item(ref) for ref in source.cases if ref.family == family)
    return next(item for item in items if item.difficulty == difficulty)


def answers(picture: bytes, item: Item) -> dict[str, float | None]:
    found: dict[str, float | None] = json.loads(read(picture, item.prompt).text.splitlines()[-1])
    return found


def repainted(item: Item, old: str) -> bytes:
    """The picture without the dark neutral marks ("grey") or without the curve ("blue") inside its axes."""
    image = np.array(Image.open(io.BytesIO(item.picture.png())).convert("RGB"))
    inside = image[60:484, 116:918]
    red, blue = inside[:, :, 0].astype(int), inside[:, :, 2].astype(int)
    inside[(np.abs(red - blue) < 20) & (red < 200) if old == "grey" else blue - red > 20] = 255
    content = io.BytesIO()
    Image.fromarray(image).save(content, format="PNG")
    return content.getvalue()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sample_of_every_family_is_read(family: str) -> None:
    difficulties = ("moderate", "edge") if family in NOISY else ("clean", "edge")
    found = tally(first_of(family, difficulty) for difficulty in difficulties)
    assert found.misses == []


def test_each_field_says_how_it_was_read_and_how_far_the_curve_lies_off() -> None:
    item = first_of("bode_magnitude", "clean")
    lines = read(item.picture.png(), item.prompt).text.splitlines()
    assert lines[0] == "dc_gain_db: direct, the dashed line"
    assert lines[1].startswith("cutoff_hz: fit, a low-pass below the dashed line, median distance 0.")


def test_without_the_marked_line_what_is_asked_there_is_null() -> None:
    for family in ("iv_resistor", "pump_curve", "bode_phase", "bode_magnitude", "iv_diode"):
        item = first_of(family, "moderate")
        assert set(answers(repainted(item, "grey"), item).values()) == {None}


@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in {"pole_zero", "spectrogram"}])
def test_without_the_curve_every_field_is_null(family: str) -> None:
    item = first_of(family, "clean")
    assert set(answers(repainted(item, "blue"), item).values()) == {None}


def test_the_other_curve_alone_is_no_answer() -> None:
    item = first_of("transfer_characteristic", "edge")
    assert set(answers(repainted(item, "blue"), item).values()) == {None}


def test_a_plot_of_another_kind_than_asked_for_gives_no_number() -> None:
    pairs = {
        "bandpass_response": ("fft_spectrum", "bode_magnitude"),
        "fft_spectrum": ("time_waveform", "bandpass_response"),
        "pump_curve": ("torque_speed",),
        "spectrogram": ("stress_strain", "time_waveform"),
        "time_waveform": ("step_response",),
    }
    for shown, asked in pairs.items():
        others = [first_of(family, "clean") for family in asked]
        assert confused([first_of(shown, "clean")], others) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5])
def test_whole_sets_are_read(seed: int) -> None:
    assert seed not in TUNED_ON
    found = tally(chosen(seed, range(30)))
    assert found.rate("plotread") >= 0.99
    assert found.rate("strict") >= 0.98
    assert found.far == []


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", ["clean", "moderate", "edge"])
def test_no_kind_of_plot_is_taken_for_another(difficulty: str) -> None:
    items = [first_of(family, difficulty) for family in FAMILIES]
    assert confused(items, items) == []
