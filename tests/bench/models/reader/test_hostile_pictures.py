"""Pictures that are no plots: null or a refusal, never a fault."""

from __future__ import annotations

import io
import json
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.plots.readings import CannotReadError
from bench.models.reader.plots.registry import FAMILIES, OWN_UNIT_FAMILIES, find_family, find_own_unit_family
from bench.models.reader.reader import read
from generators.plotchain.source import PlotChainSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from generators.items import Item


@pytest.fixture(scope="module", params=["v4", "v5"])
def item(request: pytest.FixtureRequest) -> Item:
    source = PlotChainSource(edition=request.param)
    return next(source.item(ref) for ref in source.cases if ref.id == "bode_magnitude_000")


@pytest.fixture(scope="module")
def plot(item: Item) -> Image.Image:
    return Image.open(io.BytesIO(item.picture.png())).convert("RGB")


def png(image: Image.Image) -> bytes:
    content = io.BytesIO()
    image.save(content, format="PNG")
    return content.getvalue()


def noise(height: int, width: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8))


def claimed(width: int, height: int) -> bytes:
    """A PNG whose header claims a size that its few bytes do not hold."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 99))
        + chunk(b"IEND", b"")
    )


def twice(plot: Image.Image) -> Image.Image:
    page = Image.new("RGB", (2 * plot.width, plot.height), "white")
    page.paste(plot, (0, 0))
    page.paste(plot, (plot.width, 0))
    return page


def scribbled(plot: Image.Image) -> Image.Image:
    noisy = plot.copy()
    noisy.paste(noise(420, 720), (115, 60))
    return noisy


UNDECODABLE: dict[str, bytes] = {
    "empty": b"",
    "text": b"no picture at all",
    "cut off": claimed(800, 600),
    "ten thousand square": claimed(10_000, 10_000),
    "one pixel": png(Image.new("RGB", (1, 1))),
    "another format": b"GIF89a" + bytes(100),
}
CHANGES: dict[str, Callable[[Image.Image], Image.Image]] = {
    "blank": lambda plot: Image.new("RGB", plot.size, "white"),
    "black": lambda plot: Image.new("RGB", plot.size),
    "transparent": lambda plot: Image.new("RGBA", plot.size, (0, 0, 0, 0)),
    "noise": lambda plot: noise(plot.height, plot.width),
    "sixteen bits": lambda plot: Image.fromarray(np.asarray(plot.convert("L")).astype(np.uint16) * 257),
    "faded": lambda plot: Image.merge("RGBA", (*plot.split(), Image.new("L", plot.size, 100))),
    "turned a little": lambda plot: plot.rotate(3, fillcolor="white"),
    "lying": lambda plot: plot.rotate(90, expand=True),
    "upside down": lambda plot: plot.rotate(180),
    "mirrored": lambda plot: plot.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
    "two axes": twice,
    "without colour": lambda plot: plot.convert("L"),
    "noise in the box": scribbled,
}


@pytest.mark.parametrize("name", UNDECODABLE)
def test_what_is_no_picture_is_refused_in_one_sentence(name: str, item: Item) -> None:
    outcome = read(UNDECODABLE[name], item.prompt)
    assert not outcome.answered
    assert outcome.text.startswith("The picture cannot be read: ")
    assert "0x" not in outcome.text


def test_a_cut_off_plot_is_refused(item: Item) -> None:
    assert not read(item.picture.png()[:3000], item.prompt).answered


@pytest.mark.parametrize("name", CHANGES)
def test_a_picture_that_is_no_plot_gives_nulls_with_the_reason(name: str, plot: Image.Image, item: Item) -> None:
    outcome = read(png(CHANGES[name](plot)), item.prompt)
    assert outcome.answered
    *lines, answer = outcome.text.splitlines()
    assert set(json.loads(answer).values()) == {None}
    assert all("cannot be seen: " in line for line in lines)


def test_a_palette_or_an_opaque_alpha_channel_changes_no_answer(plot: Image.Image, item: Item) -> None:
    answers = {read(png(picture), item.prompt).text for picture in (plot, plot.convert("RGBA"))}
    assert len(answers) == 1
    palette = plot.convert("P", palette=Image.Palette.ADAPTIVE, colors=256)
    read_back = json.loads(read(png(palette), item.prompt).text.splitlines()[-1])
    exact = json.loads(answers.pop().splitlines()[-1])
    assert read_back["dc_gain_db"] is None or read_back["dc_gain_db"] == pytest.approx(
        exact["dc_gain_db"], abs=0.1
    )


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=300), prompt=st.text(max_size=200))
def test_any_bytes_and_any_text_get_an_outcome(content: bytes, prompt: str) -> None:
    assert read(content, prompt).text
    asked = '"resistance_ohm": <number or null>'
    assert read(content, f"{prompt}\n{asked}\n").text


def test_fields_that_no_plot_has_are_null(item: Item) -> None:
    outcome = read(item.picture.png(), '{\n"depth_m": <number or null>,\n"cutoff_hz": <number or null>\n}')
    assert json.loads(outcome.text.splitlines()[-1]) == {"depth_m": None, "cutoff_hz": None}


def test_each_kind_of_plot_is_found_by_its_fields() -> None:
    for family in FAMILIES:
        assert find_family(family.fields) is family
    for family in OWN_UNIT_FAMILIES:
        assert find_own_unit_family(family.fields) is family
    with pytest.raises(CannotReadError, match="belong to no kind of plot"):
        find_family(["cutoff_hz"])
