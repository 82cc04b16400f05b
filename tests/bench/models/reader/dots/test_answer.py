"""The suite is answered from pixels and prompt alone; what cannot be read gets a sentence that says so."""

from __future__ import annotations

import struct
import zlib
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bench.models.reader.dots import parse_question
from bench.models.reader.dots.answer import answer_dots
from generators.geometry import GeometrySource, list_images, tasks_of
from generators.geometry.examples import examples_for
from generators.geometry.records import task_item
from generators.geometry.tasks import TASKS
from generators.plotchain import PlotChainSource
from scorers.geometry import DefectScore, LengthScore, LocateScore, score_geometry
from tests.bench.models.reader.dots.drawing import ASKED, dots_png, lattice_um, png, saved
from tests.bench.models.reader.sweep import sweep
from tests.scorers.geometry.truths import full_truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generators.geometry.tasks import Task
    from generators.items import Item
    from scorers.geometry import TaskScore

IDS = [ref.id for ref in list_images()]
LENGTH_WITHIN = 0.03
F1_AT_LEAST = 0.99


def meets_the_readers_mark(score: TaskScore) -> bool:
    """Stricter than the case's own threshold: exact counts of defects, lengths within 3 %, F1 of 0.99."""
    if isinstance(score, DefectScore):
        return score.verdict_correct and score.missing_count_error == 0 and score.noise_count_error == 0
    if isinstance(score, LengthScore):
        return all((row.rel_err or 0.0) <= LENGTH_WITHIN for row in score.rows) and score.parsed
    if isinstance(score, LocateScore):
        return score.f1 >= F1_AT_LEAST
    return score.passed


def misses(items: Iterable[Item]) -> list[str]:
    found = []
    for item in items:
        picture = item.picture.png()
        for task in tasks_of(item):
            asked = task_item(item, task)
            score = score_geometry(task, answer_dots(picture, asked.prompt), asked.truth)
            if not meets_the_readers_mark(score):
                found.append(f"{asked.id}: {score.prediction} for {score.expected}")
    return found


@pytest.mark.parametrize("image_id", sweep(IDS[::7], default=IDS[::42]))
def test_every_seventh_picture_of_the_suite_is_answered_right(image_id: str) -> None:
    assert misses([GeometrySource().item(image_id)]) == []


@pytest.mark.parametrize("seed", sweep(range(1, 11), default=[3, 8]))
def test_a_picture_of_another_seed_is_answered_right(seed: int) -> None:
    assert misses([GeometrySource(seed=seed).item(IDS[seed * 37 % len(IDS)])]) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(11))
def test_every_picture_of_eleven_suites_is_answered_right(seed: int) -> None:
    assert misses(GeometrySource(seed=seed)) == []


@pytest.mark.parametrize("task", sweep(TASKS, default=["DEFECT"]))
def test_the_example_pictures_have_other_settings_and_are_answered_right(task: Task) -> None:
    sources = {example.prompt: example for example in examples_for(task, 5)}
    assert sources
    for example in examples_for(task, 5):
        said = answer_dots(example.picture.png(), example.prompt)
        if task == "LOCATE":
            assert _points(said) == pytest.approx(_points(example.answer), abs=0.1)
        else:
            assert _numbers(said) == pytest.approx(_numbers(example.answer), rel=LENGTH_WITHIN)
            assert _words(said) == _words(example.answer)


def _points(text: str) -> list[float]:
    pairs = [tuple(float(part) for part in line.split(",")) for line in text.splitlines()]
    return [
        coordinate for pair in sorted(pairs, key=lambda pair: (round(pair[1]), pair[0])) for coordinate in pair
    ]


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.split() if word.replace(".", "").isdigit()]


def _words(text: str) -> list[str]:
    return [word for word in text.split() if not word.replace(".", "").isdigit()]


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


def _noise() -> npt.NDArray[np.float64]:
    return np.random.default_rng(1).random((510, 700))


def _plot(family: str) -> bytes:
    plots = PlotChainSource()
    return plots.item(plots.case(f"{family}_000")).picture.png()


LONG = {"ten thousand square", "a hundred megabytes of text", "white noise", "pole_zero", "spectrogram"}
HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "no bytes": lambda: b"",
    "text": lambda: b"spots",
    "cut short": lambda: PICTURE[:500],
    "no pixel data": _made_of,
    "rubbish for pixels": lambda: _made_of((b"IDAT", b"rubbish")),
    "too few pixels": lambda: _made_of((b"IDAT", zlib.compress(b"\0" * 100))),
    "ten thousand square": lambda: saved(Image.new("L", (10_000, 10_000))),
    "nine million pixels": lambda: saved(Image.new("1", (3_000, 3_000))),
    "a hundred megabytes of text": lambda: _made_of(
        (b"zTXt", b"a\0\0" + zlib.compress(b"a" * 10**8)), (b"IDAT", PICTURE[41:-16])
    ),
    "white noise": lambda: png((_noise() * 256).astype(np.uint8)),
    "salt": lambda: png((_noise() > 0.9).astype(np.uint8) * 255),
    "a gradient": lambda: png(np.tile(np.linspace(0, 255, 700).astype(np.uint8), (510, 1))),
    "stripes": lambda: png((np.indices((510, 700)).sum(axis=0) // 40 % 2 * 255).astype(np.uint8)),
    "a chessboard": lambda: png(((np.indices((510, 700)) // 20).sum(axis=0) % 2 * 255).astype(np.uint8)),
    "a bar": lambda: png(np.pad(np.full((100, 200), 255, np.uint8), ((200, 210), (250, 250)))),
    "a hair": lambda: png(np.pad(np.full((1, 600), 255, np.uint8), ((200, 309), (50, 50)))),
    "a ring": _ring,
    **{family: partial(_plot, family) for family in ("step_response", "pole_zero", "spectrogram")},
}


@pytest.mark.parametrize("kind", sweep(HOSTILE, default=HOSTILE.keys() - LONG))
def test_pictures_of_no_spots_are_refused_in_one_sentence(kind: str) -> None:
    said = answer_dots(HOSTILE[kind](), ASKED["COUNT"])

    assert said.startswith("I cannot read this picture: ")
    assert "\n" not in said
    assert [asked for asked in ASKED if _score(asked, said).parsed] == [], said


BLANK = {
    "black": saved(Image.new("RGB", (700, 510))),
    "white": saved(Image.new("RGB", (700, 510), "white")),
    "one pixel": saved(Image.new("RGB", (1, 1))),
    "seven millions": saved(Image.new("1", (2_800, 2_500))),
}


@pytest.mark.parametrize("kind", sweep(BLANK, default=["black", "white", "one pixel"]))
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
    questions = {asked: parse_question(prompt) for asked, prompt in ASKED.items()}
    assert {asked: found.question for asked, found in questions.items() if found} == {
        asked: asked for asked in ASKED
    }


@given(content=st.binary(max_size=200), at=st.integers(0, len(PICTURE)), asked=st.sampled_from(sorted(ASKED)))
@settings(max_examples=25, deadline=None)
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
@settings(max_examples=40, deadline=None)
def test_any_small_picture_gets_a_reply(pixels: npt.NDArray[np.uint8], asked: str) -> None:
    assert answer_dots(png(np.ascontiguousarray(pixels)), ASKED[asked])
