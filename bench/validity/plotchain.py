"""The validity of the plot suite, field by field.

A field leaks when a constant passes, when a number in the question does, when its place gives it away (the axes
read without the curve), or when the axes need not be read (the curve read without them).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from bench.models.reader.reading import read
from bench.suites.blind_constants import best_constant, passing
from bench.suites.plotchain import score_item
from bench.validity.evidence import PictureEvidence, gather, pixels_sha256, rate
from bench.validity.readings import (
    V4_READINGS,
    FieldFormula,
    PixelTolerance,
    passes_at,
    pixel_figures,
    pixel_tolerance,
    v5_axes,
    v5_pixels,
    v5_places,
)
from bench.validity.report import FamilyValidity, FieldValidity, SuiteValidity, judged
from generators.plotchain.family import DIFFICULTIES, PlotCase, edition_named
from generators.plotchain.pictures import DrawnAxes, drawn_axes
from generators.plotchain.source import PlotChainSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generators.items import Item
    from generators.plotchain.family import PlotFamily
    from scorers.tolerances import Policy

    Key = tuple[str, str]

__all__ = [
    "Bounds",
    "PlacedField",
    "PlotSet",
    "best_place",
    "bounds_of",
    "constant_for",
    "other_axes_rate",
    "own_numbers",
    "place_rate",
    "plotchain_validity",
]

TRAINING_SEEDS = 20

_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:\.\d+)?(?![\w.]*\d)")
_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotSet:
    """A set of plots: the edition, the master seed, how many of each family; `policy` are the tolerances."""

    edition: str = "v4"
    seed: int = 0
    items_per_family: int = 30
    policy: Policy = "plotread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The smallest and the largest answer that pass, inclusive; `truth` is the answer itself."""

    truth: float
    low: float
    high: float

    def hold(self, answer: float) -> bool:
        """Whether an answer passes."""
        return self.low <= answer <= self.high


def bounds_of(item: Item, field: str, policy: Policy) -> Bounds:
    """Return what passes for a field of a plot.

    Raises:
        TypeError: its truth is no number.
    """
    low, high = passing(item, field, policy=policy)
    return Bounds(truth=float(str(item.truth[field])), low=low, high=high)


def constant_for(bounds: Iterable[Bounds]) -> float:
    """Return the constant that passes most often."""
    return best_constant([(one.low, one.high) for one in bounds])


def own_numbers(questions: Mapping[str, str]) -> dict[str, Sequence[float]]:
    """Return for each item the numbers in its question that not all questions of the family hold."""
    found = {item_id: set(_NUMBER.findall(question)) for item_id, question in questions.items()}
    common = set.intersection(*found.values()) if found else set()
    return {
        item_id: sorted(float(number.replace("−", "-")) for number in numbers - common)
        for item_id, numbers in found.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedField:
    """A field of one item: what it is read from, the axes it is drawn on, and what passes."""

    reading: FieldFormula
    axes: DrawnAxes
    bounds: Bounds

    @property
    def shares(self) -> tuple[float, ...]:
        """Where the readings lie, as shares of their axes from the low end."""
        return tuple(
            self.axes.named(reading.axis).place_px(reading.value) / self.axes.named(reading.axis).length_px
            for reading in self.reading.readings
        )

    def places(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Return those shares that are places of their own, to three decimals."""
        readings = self.reading.readings
        return tuple(round(share, 3) for share, reading in zip(shares, readings, strict=False) if reading.is_place)

    def passes(self, shares: Sequence[float], axes: DrawnAxes) -> bool:
        """Whether the answer passes that is read at these places of these axes.

        Readings that only correct a place (the level of a crossing) keep their own.
        """
        places = [
            share * axes.named(reading.axis).length_px
            if reading.is_place
            else self.axes.named(reading.axis).place_px(reading.value)
            for reading, share in zip(self.reading.readings, shares, strict=True)
        ]
        mixed = [axes if reading.is_place else self.axes for reading in self.reading.readings]
        return passes_at(self.reading, mixed, places, self.bounds.hold)


def best_place(training: Sequence[PlacedField]) -> tuple[float, ...]:
    """Return the place of a training item, in shares of the axes, that passes most training items; () of none."""
    candidates = dict.fromkeys(one.shares for one in training)
    return max(candidates, key=lambda shares: place_rate(training, shares), default=())


def place_rate(items: Sequence[PlacedField], shares: Sequence[float]) -> float:
    """Return how many items pass when their own axes are read at a place."""
    return rate(len(shares) == len(one.reading.readings) and one.passes(shares, one.axes) for one in items)


def other_axes_rate(items: Sequence[PlacedField]) -> float:
    """Return how often the right place, read on another item's axes, passes: over all pairs of two items."""
    return rate(
        len(one.shares) == len(other.shares) and one.passes(one.shares, other.axes)
        for one in items
        for other in items
        if other is not one
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plot:
    """A plot and what was found out about it."""

    item: Item
    axes: DrawnAxes
    picture: PictureEvidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A field of one plot with all that was found out about it."""

    difficulty: str
    bounds: Bounds
    placed: PlacedField | None
    own_pixels: PixelTolerance | None
    in_question: bool
    read: bool | None

    @property
    def pixels(self) -> PixelTolerance | None:
        if self.own_pixels is not None or self.placed is None:
            return self.own_pixels
        return pixel_tolerance(self.placed.reading, self.placed.axes, self.bounds.hold)


def plotchain_validity(plots: PlotSet, *, looks: bool, say: Callable[[str], None]) -> SuiteValidity:
    """Examine a set of plots.

    Constants and places are fitted on these items, and on those of the seeds that follow.

    Args:
        plots: the set.
        looks: whether pictures are drawn, compared and read; without it only axes are laid out.
        say: gets lines of progress.
    """
    following = [replace(plots, seed=plots.seed + step) for step in range(1, 1 + TRAINING_SEEDS)]
    donors = _cells(
        _seen(following[0], looks=False, say=say, what="laying out plots of another seed"), following[0]
    )
    seen = _seen(plots, looks=looks, say=say, what="drawing and reading plots" if looks else "laying out plots")
    training: dict[Key, list[Bounds]] = defaultdict(list)
    for item in itertools.chain.from_iterable(map(_source, following)):
        for field in _fields_of(item):
            training[item.family, field].append(bounds_of(item, field, plots.policy))
    return SuiteValidity(
        fields=tuple(
            _field(key, cells, donors.get(key, []), training[key]) for key, cells in _cells(seen, plots).items()
        ),
        families=tuple(_families(seen, plots.edition)),
    )


@cache
def _source(plots: PlotSet) -> PlotChainSource:
    return PlotChainSource(edition=plots.edition, seed=plots.seed, items_per_family=plots.items_per_family)


def _fields_of(item: Item) -> tuple[str, ...]:
    return (*item.final_fields, *item.checkpoint_fields)


def _seen(plots: PlotSet, *, looks: bool, say: Callable[[str], None], what: str) -> list[_Plot]:
    """Look at all plots of a set, in as many processes as there are cores."""
    work = partial(_look, plots, looks)
    found = gather(work, [ref.id for ref in _source(plots).cases], say=say, what=what)
    return [
        _Plot(item=item, axes=axes, picture=picture)
        for item, (axes, picture) in zip(_source(plots), found, strict=True)
    ]


def _look(plots: PlotSet, looks: bool, item_id: str) -> tuple[DrawnAxes, PictureEvidence | None]:
    """Lay out one plot's axes and, if asked, draw it, hash its pixels and let the reader answer it."""
    source = _source(plots)
    item = source.item(source.case(item_id))
    family, case = _family_case(item, plots.edition)
    axes = v5_axes(family, case.params) if plots.edition == "v5" else drawn_axes(family, case)
    if not looks:
        return axes, None
    picture = item.picture.png()
    outcome = read(picture, item.prompt)
    score = score_item(item, outcome.text if outcome.answered else None, policy=plots.policy)
    passed = {row.field: row.passed for row in score.fields}
    return axes, PictureEvidence(pixels_sha256=pixels_sha256(picture), reader=passed)


def _family_case(item: Item, edition: str) -> tuple[PlotFamily[Any], PlotCase[Any]]:
    """Return the family of an item and the case that it was made from."""
    family = edition_named(edition).family(item.family)
    generation: Any = item.extra["generation"]
    params = family.restore(item.params)
    return family, PlotCase(params=params, difficulty=generation["difficulty"], seed=generation["seed"])


def _cells(seen: Sequence[_Plot], plots: PlotSet) -> dict[Key, list[_Cell]]:
    numbers: dict[str, Sequence[float]] = {}
    for _, group in itertools.groupby(seen, key=lambda plot: plot.item.family):
        numbers |= own_numbers({plot.item.id: str(plot.item.extra["question"]) for plot in group})
    found: dict[Key, list[_Cell]] = defaultdict(list)
    for plot in seen:
        readings, pixels = _readings_and_pixels(plot.item, plots)
        for field in _fields_of(plot.item):
            bounds = bounds_of(plot.item, field, plots.policy)
            reading = readings.get(field)
            placed = PlacedField(reading=reading, axes=plot.axes, bounds=bounds) if reading else None
            found[plot.item.family, field].append(
                _Cell(
                    difficulty=plot.item.difficulty,
                    bounds=bounds,
                    placed=placed,
                    own_pixels=pixels.get(field),
                    in_question=any(map(bounds.hold, numbers[plot.item.id])),
                    read=None if plot.picture is None else plot.picture.reader.get(field, False),
                )
            )
    return found


def _readings_and_pixels(
    item: Item, plots: PlotSet
) -> tuple[Mapping[str, FieldFormula], Mapping[str, PixelTolerance]]:
    """Return what each field is read from, and the pixels that the edition itself states."""
    family, case = _family_case(item, plots.edition)
    if plots.edition == "v5":
        return v5_places(family, case.params), v5_pixels(family, case.params, plots.policy)
    return V4_READINGS[item.family](case.params), {}


def _field(key: Key, cells: Sequence[_Cell], donors: Sequence[_Cell], training: Sequence[Bounds]) -> FieldValidity:
    same, others = constant_for(cell.bounds for cell in cells), constant_for(training)
    placed = [cell.placed for cell in cells if cell.placed is not None]
    place = best_place([cell.placed for cell in donors if cell.placed is not None])
    return judged(
        FieldValidity(
            suite="plotchain",
            family=key[0],
            field=key[1],
            items=len(cells),
            **pixel_figures([found for cell in cells if (found := cell.pixels) is not None]),
            beyond_axes=sum(_is_beyond(one) for one in placed) if placed else None,
            blind_same_seed=rate(cell.bounds.hold(same) for cell in cells),
            blind_other_seeds=rate(cell.bounds.hold(others) for cell in cells),
            in_question=rate(cell.in_question for cell in cells),
            constant_place=place_rate(placed, place) if placed else None,
            place=placed[0].places(place) if placed else (),
            other_axes=other_axes_rate(placed) if placed and not placed[0].reading.is_shape else None,
            reader=_read_rate(cells),
            reader_by_group=_by_difficulty(cells),
        )
    )


def _is_beyond(placed: PlacedField) -> bool:
    return any(not -_SLACK <= share <= 1 + _SLACK for share in placed.shares)


def _read_rate(cells: Sequence[_Cell]) -> float | None:
    looked = [cell.read for cell in cells if cell.read is not None]
    return rate(looked) if looked else None


def _by_difficulty(cells: Sequence[_Cell]) -> dict[str, float]:
    rates = {level: _read_rate([cell for cell in cells if cell.difficulty == level]) for level in DIFFICULTIES}
    return {level: value for level, value in rates.items() if value is not None}


def _families(seen: Sequence[_Plot], edition: str) -> Iterator[FamilyValidity]:
    drawn = [(plot.item, plot.picture.pixels_sha256) for plot in seen if plot.picture is not None]
    for family, group in itertools.groupby(drawn, key=lambda pair: pair[0].family):
        pairs = list(group)
        truths: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
        for item, digest in pairs:
            truths[digest].add(tuple(item.truth[field] for field in _fields_of(item)))
        counts = Counter(digest for _, digest in pairs)
        yield FamilyValidity(
            suite="plotchain",
            family=family,
            pictures=len(pairs),
            distinct=len(counts),
            clashing=sum(counts[digest] for digest, answers in truths.items() if len(answers) > 1),
            ordered=_ordered([item for item, _ in pairs], edition),
        )


def _ordered(items: Sequence[Item], edition: str) -> tuple[str, ...]:
    """Return "a < b" for final fields of one unit, where that holds on every item."""
    units = {spec.name: spec.unit for spec in edition_named(edition).family(items[0].family).fields}
    truths: Any = [item.truth for item in items]
    return tuple(
        f"{first} < {second}"
        for first, second in itertools.permutations(items[0].final_fields, 2)
        if units[first] == units[second] and all(truth[first] < truth[second] for truth in truths)
    )
