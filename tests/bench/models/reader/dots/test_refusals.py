"""What cannot be read gets a sentence that says so and counts as no answer, in bounded time."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.dots import answer_dots
from bench.models.reader.dots.asked import asked_in
from generators.plotchain import PlotChainSource
from scorers.geometry import score_geometry
from tests.bench.models.reader.dots.drawing import ASKED, dots_png, lattice_um, png, saved
from tests.scorers.geometry.truths import full_truth

PICTURE = dots_png(lattice_um(12, 0))
HEADER = PICTURE[:33]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _made_of(*chunks: tuple[bytes, bytes]) -> bytes:
    return HEADER + b"".join(_chunk(kind, body) for kind, body in chunks) + _chunk(b"IEND", b"")


def _ring() -> bytes:
    y, x = np.indices((510, 700))
    distance = np.hypot(x - 350, y - 255)
    return png(((distance < 100) & (distance > 80)).astype(np.uint8) * 255)


def _drawings() -> dict[str, bytes]:
    rng = np.random.default_rng(1)
    board = np.indices((510, 700)).sum(axis=0)
    plots = PlotChainSource()
    return {
        "no bytes": b"",
        "text": b"spots",
        "cut short": PICTURE[:500],
        "no pixel data": _made_of(),
        "rubbish for pixels": _made_of((b"IDAT", b"rubbish")),
        "too few pixels": _made_of((b"IDAT", zlib.compress(b"\0" * 100))),
        "ten thousand square": saved(Image.new("L", (10_000, 10_000))),
        "nine million pixels": saved(Image.new("1", (3_000, 3_000))),
        "a hundred megabytes of text": _made_of(
            (b"zTXt", b"a\0\0" + zlib.compress(b"a" * 10**8)), (b"IDAT", PICTURE[41:-16])
        ),
        "white noise": png(rng.integers(0, 256, (510, 700, 3), dtype=np.uint8)),
        "salt": png((rng.random((510, 700)) > 0.9).astype(np.uint8) * 255),
        "a gradient": png(np.tile(np.linspace(0, 255, 700).astype(np.uint8), (510, 1))),
        "stripes": png((board // 40 % 2 * 255).astype(np.uint8)),
        "a chessboard": png(((np.indices((510, 700)) // 20).sum(axis=0) % 2 * 255).astype(np.uint8)),
        "a bar": png(np.pad(np.full((100, 200), 255, np.uint8), ((200, 210), (250, 250)))),
        "a hair": png(np.pad(np.full((1, 600), 255, np.uint8), ((200, 309), (50, 50)))),
        "a ring": _ring(),
        **{
            family: plots.item(plots.case(f"{family}_000")).picture.png()
            for family in ("step_response", "pole_zero", "spectrogram")
        },
    }


HOSTILE = _drawings()


@pytest.mark.parametrize("kind", HOSTILE)
def test_pictures_of_no_spots_are_refused_in_one_sentence(kind: str) -> None:
    said = answer_dots(HOSTILE[kind], ASKED["COUNT"])

    assert said.startswith("I cannot read this picture: ")
    assert "\n" not in said
    assert [asked for asked in ASKED if _score(asked, said).parsed] == [], said


BLANK = {
    "black": saved(Image.new("RGB", (700, 510))),
    "white": saved(Image.new("RGB", (700, 510), "white")),
    "one pixel": saved(Image.new("RGB", (1, 1))),
    "seven millions": saved(Image.new("1", (2_800, 2_500))),
}


@pytest.mark.parametrize("kind", BLANK)
def test_an_empty_picture_has_no_spot_and_nothing_to_measure(kind: str) -> None:
    assert answer_dots(BLANK[kind], ASKED["COUNT"]) == "COUNT: 0"
    assert answer_dots(BLANK[kind], ASKED["LOCATE"]) == "NONE"
    for asked in ASKED.keys() - {"COUNT", "LOCATE"}:
        said = answer_dots(BLANK[kind], ASKED[asked])
        assert said.startswith("I cannot read this picture: ")
        assert not _score(asked, said).parsed, said


def _score(asked: str, said: str):  # type: ignore[no-untyped-def]  # noqa: ANN202
    both = {"diameter_um": None, "smallest_diameter_um": 2.0, "largest_diameter_um": 3.0}
    truth = {**full_truth(), **(both if asked == "SIZE RANGE" else {})}
    return score_geometry(asked.removesuffix(" RANGE"), said, truth)  # type: ignore[arg-type]


@pytest.mark.parametrize("asked", ["SIZE", "SIZE RANGE", "SPACING"])
def test_lengths_need_the_scale_that_the_prompt_states(asked: str) -> None:
    without = ASKED[asked].replace("One pixel is 0.14 micrometers wide and high.", "")
    nothing = ASKED[asked].replace("is 0.14 micro", "is 0 micro")
    doubled = ASKED[asked].replace("is 0.14 micro", "is 0.28 micro")

    assert answer_dots(PICTURE, without) == "I cannot read this picture: the question states no scale."
    assert answer_dots(PICTURE, nothing) == "I cannot read this picture: the question states no scale."
    said = float(answer_dots(PICTURE, doubled).split()[1])
    assert said == pytest.approx(24 if asked == "SPACING" else 6, rel=0.01)


@pytest.mark.parametrize(
    "prompt", ["", "How many?", "COUNT: <whole number>\nPATTERN: <RANDOM>", '"x": <number or null>']
)
def test_other_questions_are_refused(prompt: str) -> None:
    assert (
        answer_dots(PICTURE, prompt) == "I cannot answer: the question is none of those about spots that I know."
    )


def test_each_prompt_is_told_by_its_form() -> None:
    questions = {asked: asked_in(prompt) for asked, prompt in ASKED.items()}
    assert {asked: found.question for asked, found in questions.items() if found} == {
        asked: asked for asked in ASKED
    }


@given(content=st.binary(max_size=200), at=st.integers(0, len(PICTURE)), asked=st.sampled_from(sorted(ASKED)))
@settings(max_examples=60, deadline=None)
def test_any_bytes_get_a_reply(content: bytes, at: int, asked: str) -> None:
    for picture in (content, PICTURE[:at] + content + PICTURE[at:]):
        assert answer_dots(picture, ASKED[asked])


@given(
    pixels=st.tuples(st.integers(1, 24), st.integers(1, 24)).flatmap(
        lambda size: st.binary(min_size=size[0] * size[1], max_size=size[0] * size[1]).map(
            lambda data: np.frombuffer(data, np.uint8).reshape(size)
        )
    ),
    asked=st.sampled_from(sorted(ASKED)),
)
@settings(max_examples=100, deadline=None)
def test_any_small_picture_gets_a_reply(pixels: npt.NDArray[np.uint8], asked: str) -> None:
    assert answer_dots(png(np.ascontiguousarray(pixels)), ASKED[asked])
