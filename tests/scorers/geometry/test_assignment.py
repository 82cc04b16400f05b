"""The pairing is the best there is, in any order, and no repeated point helps."""

from __future__ import annotations

import math
import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from scorers.geometry import LocateScore, score_geometry
from scorers.geometry.locate import CandidatePair, assign
from tests.scorers.geometry.truths import dots_truth

Points = list[tuple[float, float]]

NEAR = st.tuples(st.integers(300, 360), st.integers(200, 250))
FEW_POINTS = st.lists(NEAR, max_size=6, unique=True)
FEW_DOTS = st.lists(st.tuples(st.integers(42, 50), st.integers(28, 35)), min_size=1, max_size=5, unique=True)


def locate(points: Points, truth: dict[str, Any]) -> LocateScore:
    text = "\n".join(f"({x!r}, {y!r})" for x, y in points) or "NONE"
    score = score_geometry("LOCATE", text, truth)
    assert isinstance(score, LocateScore)
    return score


def brute_force(points: Points, truth: dict[str, Any], radius: float) -> tuple[int, float]:
    """Most pairs, and the least total distance among those, by trying every one-to-one pairing."""
    dots = [(dot["x_um"], dot["y_um"]) for dot in truth["dots"]]
    short, long = sorted((points_um(points), dots), key=len)
    best = (0, 0.0)
    for chosen in permutations(range(len(long)), len(short)):
        gaps = [math.dist(one, long[place]) for one, place in zip(short, chosen, strict=True)]
        near = [gap for gap in gaps if gap <= radius + 1e-9]
        best = max(best, (len(near), -sum(near)))
    return best[0], -best[1]


def points_um(points: Points) -> Points:
    return [(x * 0.14, y * 0.14) for x, y in points]


@settings(max_examples=50, deadline=None)
@given(points=FEW_POINTS, dots=FEW_DOTS)
def test_pairs_equal_those_of_brute_force(points: Points, dots: Points) -> None:
    truth = dots_truth(*dots)

    score = locate(points, truth)
    pairs, distance = brute_force(points, truth, radius=3.0)

    assert len(score.pairs) == pairs
    assert sum(pair.distance_um for pair in score.pairs) == pytest.approx(distance)
    assert score.precision == (pairs / len(points) if points else 0)
    assert score.recall == pairs / len(dots)
    assert score.f1 == pytest.approx(2 * pairs / (len(points) + len(dots)))
    assert len({pair.dot for pair in score.pairs}) == len({pair.prediction for pair in score.pairs}) == pairs


@settings(max_examples=40, deadline=None)
@given(points=FEW_POINTS, dots=FEW_DOTS, seed=st.integers(0, 99))
def test_the_order_of_predictions_never_matters(points: Points, dots: Points, seed: int) -> None:
    mixed = list(points)
    random.Random(seed).shuffle(mixed)

    one, other = locate(points, dots_truth(*dots)).metrics, locate(mixed, dots_truth(*dots)).metrics

    assert one == pytest.approx(other)


@settings(max_examples=50, deadline=None)
@given(points=FEW_POINTS.filter(bool), dots=FEW_DOTS, copies=st.integers(1, 4), shift=st.floats(0, 0.9))
def test_a_repeated_prediction_never_helps(points: Points, dots: Points, copies: int, shift: float) -> None:
    """Neither an exact copy nor one on the same pixel."""
    truth = dots_truth(*dots)
    before = locate(points, truth)
    x, y = points[0]

    after = locate([*points, *[(x + shift, y + shift)] * copies], truth)

    assert after.f1 < before.f1 or before.f1 == 0 == after.f1
    assert after.recall <= before.recall
    assert shift or after.recall == before.recall
    assert after.precision <= before.precision


@pytest.mark.parametrize("seed", range(12))
def test_larger_assignments_equal_the_hungarian_method(seed: int) -> None:
    rng = np.random.default_rng(seed)
    claims, truths = rng.random((60, 2)), rng.random((40, 2))
    cost = np.linalg.norm(claims[:, None] - truths[None], axis=2)
    radius = 0.08 + 0.02 * (seed % 5)
    edges = [
        CandidatePair(claim=i, truth=j, cost=float(cost[i, j]))
        for i in range(60)
        for j in range(40)
        if cost[i, j] <= radius
    ]

    found = assign(edges)
    rows, columns = linear_sum_assignment(np.where(cost <= radius, cost, 1000.0))
    expected = [cost[i, j] for i, j in zip(rows, columns, strict=True) if cost[i, j] <= radius]

    assert len(found) == len(expected)
    assert sum(edge.cost for edge in found) == pytest.approx(sum(expected))
    assert assign(reversed(edges)) == assign(edges)


def test_a_greedy_pairing_would_find_one_pair_less() -> None:
    truth = dots_truth((40.0, 40.0), (43.0, 40.0))
    middle, beyond = (41.4 / 0.14, 40 / 0.14), (44.5 / 0.14, 40 / 0.14)

    assert len(locate([middle, beyond], truth).pairs) == 2


def test_nothing_to_pair() -> None:
    assert assign([]) == []
