"""The validity of the plot suite, field by field."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.validity.blind_rates import asked_fields, bounds_of, constant_for, own_numbers, rate
from bench.validity.evidence import ItemEvidence, Order, family_case, gather, look_at_plot
from bench.validity.places import PlacedField, best_place, other_axes_rate, place_rate
from bench.validity.plotchain_v4 import V4_READINGS
from bench.validity.plotchain_v5 import v5_pixels, v5_places
from bench.validity.readings import pixel_tolerance
from bench.validity.report import FamilyValidity, FieldValidity, SuiteValidity
from bench.validity.verdicts import judged
from generators.plotchain.family import DIFFICULTIES
from generators.plotchain.registry import edition_named
from generators.plotchain.source import PlotChainSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bench.validity.blind_rates import Bounds
    from bench.validity.evidence import PictureEvidence
    from bench.validity.readings import FieldReading, PixelTolerance
    from generators.items import Item
    from scorers.tolerances import Policy

    Pixels = Mapping[str, PixelTolerance]
    Readings = Mapping[str, FieldReading]

__all__ = ["plotchain_validity"]

TRAINING_SEEDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cell:
    """A field of one item with all that was found out about it."""

    item: Item
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


def plotchain_validity(
    *, edition: str, seed: int, items_per_family: int, policy: Policy, looks: bool, say: Callable[[str], None]
) -> SuiteValidity:
    """Examine an edition's items of one seed.

    Constants and places are fitted on these items, and on those of the seeds that follow.

    Args:
        edition: the edition.
        seed: master seed of the items.
        items_per_family: how many of each family.
        policy: the tolerances.
        looks: whether pictures are drawn, compared and read; without it only axes are laid out.
        say: gets lines of progress.
    """

    def looked_at(some_seed: int, *, looks: bool, what: str) -> dict[str, tuple[Item, ItemEvidence]]:
        source = PlotChainSource(edition=edition, seed=some_seed, items_per_family=items_per_family)
        orders = [
            Order(
                edition=edition,
                seed=some_seed,
                items_per_family=items_per_family,
                policy=policy,
                item_id=ref.id,
                looks=looks,
            )
            for ref in source.cases
        ]
        seen: list[ItemEvidence] = gather(look_at_plot, orders, say=say, what=what)
        return {one.item_id: (source.item(source.case(one.item_id)), one) for one in seen}

    training_axes = looked_at(seed + 1, looks=False, what="laying out plots of another seed")
    doing = "drawing and reading plots" if looks else "laying out plots"
    items = looked_at(seed, looks=looks, what=doing)
    training = _by_field(
        item
        for other in range(seed + 1, seed + 1 + TRAINING_SEEDS)
        for item in PlotChainSource(edition=edition, seed=other, items_per_family=items_per_family)
    )
    cells = _cells(items.values(), edition=edition, policy=policy)
    donors = _cells(training_axes.values(), edition=edition, policy=policy)
    return SuiteValidity(
        fields=tuple(
            _field(key, group, donors.get(key, []), [bounds_of(item, key[1], policy) for item in training[key]])
            for key, group in cells.items()
        ),
        families=tuple(_families(items.values(), edition=edition)),
    )


Key = tuple[str, str]


def _by_field(items: Iterable[Item]) -> dict[Key, list[Item]]:
    found: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        for field in asked_fields(item):
            found[item.family, field].append(item)
    return found


def _cells(items: Iterable[tuple[Item, ItemEvidence]], *, edition: str, policy: Policy) -> dict[Key, list[_Cell]]:
    every = list(items)
    numbers: dict[str, Sequence[float]] = {}
    for family in dict.fromkeys(item.family for item, _ in every):
        numbers |= own_numbers(
            {item.id: str(item.extra["question"]) for item, _ in every if item.family == family}
        )
    found: dict[Key, list[_Cell]] = defaultdict(list)
    for item, seen in every:
        readings, pixels = _own_cells(item, edition, policy)
        for field in asked_fields(item):
            bounds = bounds_of(item, field, policy)
            reading = readings.get(field)
            found[item.family, field].append(
                _Cell(
                    item=item,
                    bounds=bounds,
                    placed=None
                    if reading is None
                    else PlacedField(reading=reading, axes=seen.axes, bounds=bounds),
                    own_pixels=pixels.get(field),
                    in_question=any(bounds.hold(number) for number in numbers[item.id]),
                    read=None if seen.picture is None else seen.picture.reader.get(field, False),
                )
            )
    return found


def _own_cells(item: Item, edition: str, policy: Policy) -> tuple[Readings, Pixels]:
    """Return what each field is read from, and the pixels that the edition itself states."""
    family, case = family_case(item, edition)
    if edition == "v4":
        return V4_READINGS[item.family](case.params), {}
    if edition == "v5":
        return v5_places(family, case.params), v5_pixels(family, case.params, policy)
    return {}, {}


def _field(key: Key, cells: Sequence[_Cell], donors: Sequence[_Cell], training: Sequence[Bounds]) -> FieldValidity:
    same = constant_for(cell.bounds for cell in cells)
    others = constant_for(training) if training else None
    pixels = [found for cell in cells if (found := cell.pixels) is not None]
    placed = [cell.placed for cell in cells if cell.placed is not None]
    place = best_place([cell.placed for cell in donors if cell.placed is not None])
    return judged(
        FieldValidity(
            suite="plotchain",
            family=key[0],
            field=key[1],
            items=len(cells),
            one_px_smallest=min((found.one_px for found in pixels), default=None),
            one_px_median=statistics.median(found.one_px for found in pixels) if pixels else None,
            all_px_smallest=min((found.all_px for found in pixels), default=None),
            all_px_median=statistics.median(found.all_px for found in pixels) if pixels else None,
            below_1_px=sum(found.all_px < 1 for found in pixels) if pixels else None,
            below_2_px=sum(found.all_px < 2 for found in pixels) if pixels else None,  # noqa: PLR2004
            beyond_axes=sum(_is_beyond(one) for one in placed) if placed else None,
            blind_same_seed=rate(cell.bounds.hold(same) for cell in cells),
            blind_other_seeds=None if others is None else rate(cell.bounds.hold(others) for cell in cells),
            in_question=rate(cell.in_question for cell in cells),
            constant_place=place_rate(placed, place) if placed else None,
            place=placed[0].places(place) if placed else (),
            other_axes=other_axes_rate(placed) if placed and not placed[0].reading.is_shape else None,
            reader=_read_rate(cells),
            reader_by_group=_by_difficulty(cells),
        )
    )


_SLACK = 1e-9


def _is_beyond(placed: PlacedField) -> bool:
    return any(not -_SLACK <= share <= 1 + _SLACK for share in placed.shares)


def _read_rate(cells: Sequence[_Cell]) -> float | None:
    looked = [cell.read for cell in cells if cell.read is not None]
    return rate(looked) if looked else None


def _by_difficulty(cells: Sequence[_Cell]) -> dict[str, float]:
    rates = {
        level: _read_rate([cell for cell in cells if cell.item.difficulty == level]) for level in DIFFICULTIES
    }
    return {level: value for level, value in rates.items() if value is not None}


def _families(items: Iterable[tuple[Item, ItemEvidence]], *, edition: str) -> Iterator[FamilyValidity]:
    grouped: dict[str, list[tuple[Item, PictureEvidence]]] = defaultdict(list)
    for item, seen in items:
        if seen.picture is not None:
            grouped[item.family].append((item, seen.picture))
    for family, seen_items in grouped.items():
        truths: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
        for item, picture in seen_items:
            truths[picture.pixels_sha256].add(tuple(item.truth[field] for field in asked_fields(item)))
        counts = Counter(picture.pixels_sha256 for _, picture in seen_items)
        yield FamilyValidity(
            suite="plotchain",
            family=family,
            pictures=len(seen_items),
            distinct=len(counts),
            clashing=sum(counts[digest] for digest, answers in truths.items() if len(answers) > 1),
            ordered=_ordered([item for item, _ in seen_items], edition),
        )


def _ordered(items: Sequence[Item], edition: str) -> tuple[str, ...]:
    """Return "a < b" for final fields of one unit, where that holds on every item."""
    units = {spec.name: spec.unit for spec in edition_named(edition).family(items[0].family).fields}
    finals = items[0].final_fields
    return tuple(
        f"{first} < {second}"
        for first, second in itertools.permutations(finals, 2)
        if units[first] == units[second] and all(_number(item, first) < _number(item, second) for item in items)
    )


def _number(item: Item, field: str) -> float:
    return bounds_of(item, field, "plotread").truth
