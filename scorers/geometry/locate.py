"""Scoring LOCATE: predictions and dots paired one to one, precision, recall, F1 and the pairs' mean distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.assignment import Edge, assign
from scorers.geometry.locate_reader import read_positions
from scorers.geometry.task_score import field_row
from scorers.geometry.thresholds import THRESHOLDS
from scorers.geometry.truth import dots_of, number_of, optional_number, whole_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.geometry.locate_reader import Point
    from scorers.geometry.task_score import Metrics
    from scorers.geometry.truth import TrueDot
    from scorers.score import FieldScore

__all__ = ["LocateScore", "Pair", "match_radius_um", "pair_points", "score_positions"]

_SLACK_UM = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
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
    pairs: tuple[Pair, ...]
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
) -> tuple[Pair, ...]:
    """Pair predictions with dots: most pairs, and among those the least total distance.

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
                edges.append(Edge(claim=claim, truth=number, cost=distance))
    return tuple(
        Pair(prediction=near[edge.claim, edge.truth][1], dot=edge.truth, distance_um=edge.cost)
        for edge in assign(edges)
    )


def _distance(point: Point, dot: TrueDot, um_per_px: float) -> float:
    return math.hypot(point.x_px * um_per_px - dot.x_um, point.y_px * um_per_px - dot.y_um)


Grid = dict[tuple[int, int], list[tuple[int, tuple[int, int]]]]


def _grid(cells: Sequence[tuple[int, int]], side_px: int) -> Grid:
    """Sort claims into squares, so that a dot looks at those in its own and the neighbouring squares only."""
    grid: Grid = {}
    for claim, cell in enumerate(cells):
        grid.setdefault((cell[0] // side_px, cell[1] // side_px), []).append((claim, cell))
    return grid


def _around(dot: TrueDot, grid: Grid, side_px: int, um_per_px: float) -> list[tuple[int, tuple[int, int]]]:
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
