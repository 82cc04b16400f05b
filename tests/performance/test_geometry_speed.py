"""How fast the geometry suite draws and scores: `pytest tests/performance/test_geometry_speed.py -s`."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from generators.geometry import TASKS, GeometrySource
from generators.geometry.loader import load_suite
from generators.geometry.writer import write_suite
from scorers.geometry import score_geometry
from tests.scorers.geometry.truths import full_truth

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.performance

HOSTILE = (
    "[",
    '{"a":',
    "1 ",
    "1-1 ",
    "no no spots ",
    "the answer is ",
    "| 1 | 2 |\n",
    "1 µm to ",
    "diameter of the ",
    "(1,2) ",
    "{",
    '{"',
    "1\n",
    "1.5\n",
    "1,2\n",
    "no missing spots ",
    "x=1, ",
    "-> 1 ",
    "a: 1, 2\n",
    "<a></a>",
    "[1,1,1,1] ",
    "[[1,2],[3,4]]",
    '{"x":1,"y":2} ',
    "hexagonal random ",
    "COUNT: 1\n",
)


def _best_cpu_s(action: Callable[[], object], repeats: int = 3) -> float:
    """Return the least processor time of some runs: other processes do not count."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def test_drawing_the_suite_takes_at_most_three_seconds() -> None:
    seconds = _best_cpu_s(lambda: [item.picture.png() for item in GeometrySource()])

    print(f"arranging and drawing 92 pictures: {seconds:.2f} s")
    assert seconds <= 3


def test_scoring_a_thousand_points_takes_at_most_twenty_milliseconds() -> None:
    rng = random.Random(4)
    worst = 0.0
    for image_id in ("USSS_s2_d100_wb", "USSS_s5_d20_wb", "HSDN_sp8_d5_n10_wb", "USDS_s235_d100_wb"):
        truth = GeometrySource().item(image_id).truth
        text = "\n".join(f"{rng.uniform(0, 700):.1f}, {rng.uniform(0, 510):.1f}" for _ in range(1000))
        worst = max(worst, _best_cpu_s(lambda text=text, truth=truth: score_geometry("LOCATE", text, truth), 5))  # type: ignore[misc]

    print(f"reading and scoring 1,000 points: {1000 * worst:.1f} ms")
    assert worst <= 0.020


def test_a_thousand_points_on_one_dot_take_no_longer() -> None:
    rng = random.Random(4)
    truth = GeometrySource().item("USSS_s5_d20_wb").truth
    text = "\n".join(f"{rng.gauss(350, 30):.1f}, {rng.gauss(255, 30):.1f}" for _ in range(1000))

    seconds = _best_cpu_s(lambda: score_geometry("LOCATE", text, truth), 5)

    print(f"1,000 points in one place: {1000 * seconds:.1f} ms")
    assert seconds <= 0.020


@pytest.mark.parametrize("piece", HOSTILE)
def test_any_reply_ends_within_fifty_milliseconds(piece: str) -> None:
    text = (piece * 200_000)[:200_000]
    slowest = max(
        (_best_cpu_s(lambda task=task: score_geometry(task, text, full_truth())), task)  # type: ignore[misc]
        for task in TASKS
    )

    print(f"{piece!r} repeated: {slowest[1]} {1000 * slowest[0]:.0f} ms")
    assert slowest[0] <= 0.050


def test_loading_a_written_suite_takes_less_than_half_a_second(tmp_path: Path) -> None:
    write_suite(tmp_path)

    seconds = _best_cpu_s(lambda: load_suite(tmp_path))

    print(f"loading 92 pictures: {seconds:.2f} s")
    assert seconds <= 0.5
