"""LOCATE: predictions and dots paired one to one, precision, recall, F1 and the pairs' mean distance."""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.positions import read_positions
from scorers.geometry.tasks import THRESHOLDS, dots_of, number_of, optional_number, whole_of
from scorers.score import field_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorers.geometry.positions import Point
    from scorers.geometry.tasks import Metrics, TrueDot
    from scorers.score import FieldScore

__all__ = [
    "CandidatePair",
    "LocateScore",
    "MatchedPair",
    "assign",
    "match_radius_um",
    "pair_points",
    "score_positions",
]

_SLACK_UM = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedPair:
    """A prediction and the dot it was paired with, as places in their lists, and the distance in micrometres."""

    prediction: int
    dot: int
    distance_um: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LocateScore:
    """Scored positions; `points` are the predictions in pixels, None when nothing was read.

    Without any prediction precision is 0, unless there is no dot either: then precision, recall and F1 are 1.
    """

    rule: str
    points: tuple[Point, ...] | None
    dots: tuple[TrueDot, ...]
    pairs: tuple[MatchedPair, ...]
    largest_radius_um: float

    task: Literal["LOCATE"] = "LOCATE"

    @property
    def parsed(self) -> bool:
        """Whether positions, or a statement that there are none, were read."""
        return self.points is not None

    @property
    def passed(self) -> bool:
        """Whether F1 is high enough."""
        return self.f1 >= THRESHOLDS.locate_f1

    @property
    def prediction(self) -> list[list[float]] | None:
        """The predicted positions as x and y in pixels."""
        return None if self.points is None else [[point.x_px, point.y_px] for point in self.points]

    @property
    def expected(self) -> list[list[float]]:
        """The dots as x, y and diameter in micrometres."""
        return [[dot.x_um, dot.y_um, dot.diameter_um] for dot in self.dots]

    @property
    def predicted_count(self) -> int:
        """Number of predictions, repeated ones included."""
        return len(self.points or ())

    @property
    def false_positives(self) -> int:
        """Predictions without a dot of their own."""
        return self.predicted_count - len(self.pairs)

    @property
    def precision(self) -> float:
        """Pairs / predictions."""
        return self._share(self.predicted_count)

    @property
    def recall(self) -> float:
        """Pairs / dots."""
        return self._share(len(self.dots))

    @property
    def f1(self) -> float:
        """2 x pairs / (predictions + dots)."""
        total = self.predicted_count + len(self.dots)
        return 2 * len(self.pairs) / total if total else float(self.parsed)

    @property
    def mean_distance_um(self) -> float | None:
        """Mean distance of the pairs in micrometres, None without any."""
        return sum(pair.distance_um for pair in self.pairs) / len(self.pairs) if self.pairs else None

    @property
    def metrics(self) -> Metrics:
        """The metrics by name; `detection_rate` is the recall in percent."""
        return {
            "mean_distance_um": self.mean_distance_um,
            "detection_rate": 100 * self.recall,
            "false_positives": self.false_positives,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row: F1 against 1."""
        found = f"{len(self.pairs)} of {len(self.dots)} dots found, {self.false_positives} false"
        return (
            field_row(
                "f1",
                prediction=self.f1 if self.parsed else None,
                truth=1.0,
                passed=self.passed,
                abs_tol=1 - THRESHOLDS.locate_f1,
                why=found if self.parsed else f"no positions: {self.rule}",
            ),
        )

    def _share(self, whole: int) -> float:
        if whole:
            return len(self.pairs) / whole
        return float(self.parsed and self.predicted_count == len(self.dots))


def match_radius_um(dot: TrueDot, *, count: int, area_um2: float, lattice_spacing_um: float | None) -> float:
    """Return how far from its dot a prediction may lie: one diameter, capped by how dense the dots are."""
    typical = math.sqrt(area_um2 / count) if lattice_spacing_um is None else lattice_spacing_um
    return min(dot.diameter_um, THRESHOLDS.locate_share * typical)


def pair_points(
    points: Sequence[Point], dots: Sequence[TrueDot], *, radii_um: Sequence[float], um_per_px: float
) -> tuple[MatchedPair, ...]:
    """MatchedPair predictions with dots: most pairs, and among those the least total distance.

    Predictions on the same pixel are one claim, as far from a dot as the farthest of them: repeating a point,
    exactly or nearly, never helps. The order of predictions changes no metric.
    """
    claims: dict[tuple[int, int], list[int]] = {}
    for place, point in sorted(enumerate(points), key=lambda entry: (entry[1].x_px, entry[1].y_px)):
        claims.setdefault((math.floor(point.x_px), math.floor(point.y_px)), []).append(place)
    near: dict[tuple[int, int], tuple[float, int]] = {}
    edges = []
    side = math.ceil(max(radii_um, default=0.0) / um_per_px) + 1
    grid = _grid(list(claims), side)
    for number, (dot, radius) in enumerate(zip(dots, radii_um, strict=True)):
        for claim, cell in _around(dot, grid, side, um_per_px):
            distance, place = max((_distance(points[entry], dot, um_per_px), entry) for entry in claims[cell])
            if distance <= radius + _SLACK_UM:
                near[claim, number] = (distance, place)
                edges.append(CandidatePair(claim=claim, truth=number, cost=distance))
    return tuple(
        MatchedPair(prediction=near[edge.claim, edge.truth][1], dot=edge.truth, distance_um=edge.cost)
        for edge in assign(edges)
    )


def _distance(point: Point, dot: TrueDot, um_per_px: float) -> float:
    return math.hypot(point.x_px * um_per_px - dot.x_um, point.y_px * um_per_px - dot.y_um)


_Grid = dict[tuple[int, int], list[tuple[int, tuple[int, int]]]]


def _grid(cells: Sequence[tuple[int, int]], side_px: int) -> _Grid:
    """Sort claims into squares, so that a dot looks at those in its own and the neighbouring squares only."""
    grid: _Grid = {}
    for claim, cell in enumerate(cells):
        grid.setdefault((cell[0] // side_px, cell[1] // side_px), []).append((claim, cell))
    return grid


def _around(dot: TrueDot, grid: _Grid, side_px: int, um_per_px: float) -> list[tuple[int, tuple[int, int]]]:
    column, row = (math.floor(place / um_per_px) // side_px for place in (dot.x_um, dot.y_um))
    return [
        entry
        for x in (column - 1, column, column + 1)
        for y in (row - 1, row, row + 1)
        for entry in grid.get((x, y), ())
    ]


def score_positions(text: str, truth: Mapping[str, object]) -> LocateScore:
    """Score any text as a reply to LOCATE against the truth's `dots`, `lattice_spacing_um`, size and scale."""
    dots, scale = dots_of(truth), number_of(truth, "um_per_px")
    width, height = whole_of(truth, "width_px"), whole_of(truth, "height_px")
    reading = read_positions(text, width_px=width, height_px=height)
    spacing = optional_number(truth, "lattice_spacing_um")
    area = width * height * scale * scale
    radii = [match_radius_um(dot, count=len(dots), area_um2=area, lattice_spacing_um=spacing) for dot in dots]
    return LocateScore(
        rule=reading.rule,
        points=reading.points,
        dots=dots,
        pairs=pair_points(reading.points or (), dots, radii_um=radii, um_per_px=scale),
        largest_radius_um=max(radii, default=0.0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePair:
    """A claim that may be paired with a truth, and at what cost (at least 0)."""

    claim: int
    truth: int
    cost: float


_Costs = dict[int, dict[int, float]]


def assign(edges: Iterable[CandidatePair]) -> list[CandidatePair]:
    """Return the pairing with the most pairs and, among those, the least total cost.

    Connected parts are solved one by one. Of m truths in a part each needs its m cheapest claims only, since
    the others can take at most m - 1 of them; the rest is dropped. Each part is then solved by shortest
    augmenting paths (Bellman and Ford with a queue): after every path the pairing is the cheapest of its size.
    Equal input gives an equal pairing.
    """
    costs: _Costs = {}
    for edge in edges:
        costs.setdefault(edge.truth, {})[edge.claim] = edge.cost
    return sorted(
        (pair for truths in _parts(costs) for pair in _solve({truth: costs[truth] for truth in truths})),
        key=lambda pair: pair.truth,
    )


def _parts(costs: _Costs) -> Iterable[list[int]]:
    """Yield the truths of each connected part."""
    by_claim: dict[int, list[int]] = {}
    for truth, row in costs.items():
        for claim in row:
            by_claim.setdefault(claim, []).append(truth)
    unseen = dict.fromkeys(sorted(costs))
    while unseen:
        first, _ = next(iter(unseen)), unseen.pop(next(iter(unseen)))
        part, waiting = [first], [first]
        while waiting:
            for claim in costs[waiting.pop()]:
                for truth in by_claim.pop(claim, ()):
                    if truth in unseen:
                        unseen.pop(truth)
                        part.append(truth)
                        waiting.append(truth)
        yield part


def _solve(costs: _Costs) -> list[CandidatePair]:
    most = len(costs)
    kept = {
        truth: dict(heapq.nsmallest(most, row.items(), key=lambda entry: (entry[1], entry[0])))
        for truth, row in costs.items()
    }
    taken: dict[int, int] = {}
    held: dict[int, int] = {}
    while path := _cheapest_path(kept, taken, held):
        for truth, claim in path:
            taken[claim], held[truth] = truth, claim
    return [CandidatePair(claim=claim, truth=truth, cost=kept[truth][claim]) for truth, claim in held.items()]


def _cheapest_path(costs: _Costs, taken: dict[int, int], held: dict[int, int]) -> Sequence[tuple[int, int]]:
    """Find the cheapest way to pair one more truth, as new pairs from its end to its start; empty without any."""
    reach = {truth: (0.0 if truth not in held else math.inf) for truth in costs}
    came: dict[int, int] = {}
    waiting = deque(truth for truth in costs if truth not in held)
    while waiting:
        truth = waiting.popleft()
        for claim, cost in costs[truth].items():
            owner = taken.get(claim)
            if owner is None or owner == truth:
                continue
            length = reach[truth] + cost - costs[owner][claim]
            if length < reach[owner] - 1e-12:
                reach[owner], came[owner] = length, truth
                waiting.append(owner)
    return _backtrack(_cheapest_end(costs, taken, reach), came, held)


def _cheapest_end(costs: _Costs, taken: dict[int, int], reach: dict[int, float]) -> tuple[int, int] | None:
    ends = (
        (reach[truth] + cost, truth, claim)
        for truth, row in costs.items()
        if math.isfinite(reach[truth])
        for claim, cost in row.items()
        if claim not in taken
    )
    best = min(ends, default=None)
    return None if best is None else (best[1], best[2])


def _backtrack(
    end: tuple[int, int] | None, came: dict[int, int], held: dict[int, int]
) -> Sequence[tuple[int, int]]:
    """Follow the path back: each truth on it takes the claim that the truth behind it held."""
    path: list[tuple[int, int]] = []
    while end is not None:
        path.append(end)
        truth = end[0]
        end = (came[truth], held[truth]) if truth in came else None
    return path
