"""Items of an edition, listed without computing them and built one by one on demand."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generators.items import item_seed
from generators.plotchain.family import PlotCase, PlotDraws, edition_named
from generators.plotchain.numeric import np
from generators.plotchain.pictures import PlotPicture
from generators.plotchain.records import PlotRecord, item_from_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from generators.items import Item
    from generators.plotchain.family import Difficulty, PlotFamily

__all__ = ["CaseRef", "PlotChainSource", "list_cases"]


@dataclass(frozen=True, slots=True)
class CaseRef:
    """What is known of an item before it is computed."""

    id: str
    family: str
    index: int
    difficulty: Difficulty


def list_cases(edition: str = "v4", seed: int = 0, items_per_family: int = 30) -> Sequence[CaseRef]:
    """List an edition's items, families alphabetical, then by index; computes no item.

    Args:
        edition: name of the edition.
        seed: master seed; 0 is the published set, any other a fresh one.
        items_per_family: at least 1.

    Raises:
        ValueError: unknown edition, or fewer than one item.
    """
    if items_per_family < 1:
        raise ValueError(f"items per family must be at least 1, got {items_per_family!r}")
    chosen = edition_named(edition)
    return [
        CaseRef(f"{family}_{index:03d}", family, index, difficulty)
        for family in chosen.families
        for index, difficulty in enumerate(
            difficulty_plan(seed, family, items_per_family, prefix=chosen.seed_prefix)
        )
    ]


def difficulty_plan(
    master_seed: int, family: str, count: int, *, prefix: tuple[str, ...] = ()
) -> list[Difficulty]:
    """Return a family's difficulties by index: 40 % clean, 30 % moderate, the rest edge, shuffled.

    The shuffle has a stream of its own (name `difficulty_plan`, index: the family), not an item's; `prefix`
    names the edition.
    """
    clean, moderate = round(0.4 * count), round(0.3 * count)
    counts: dict[Difficulty, int] = {"clean": clean, "moderate": moderate, "edge": count - clean - moderate}
    plan = [difficulty for difficulty, share in counts.items() for _ in range(share)]
    np.random.default_rng(item_seed(*prefix, master_seed, "difficulty_plan", family)).shuffle(plan)
    return plan


class PlotChainSource:
    """An edition's items for one seed and count; items are built when asked for.

    Building is deterministic, independent of the order of requests, and safe between threads. A family
    that looks at its lower indices (see `PlotFamily.redraws`) is sampled up to the index asked for, once.
    """

    def __init__(self, *, edition: str = "v4", seed: int = 0, items_per_family: int = 30) -> None:
        self.edition = edition_named(edition)
        self.seed = seed
        self.items_per_family = items_per_family
        self.cases = list_cases(edition, seed, items_per_family)
        self._rank = {family: rank for rank, family in enumerate(self.edition.families)}
        self._sampled: dict[str, list[Any]] = {}
        self._used: dict[str, set[float]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Item]:
        return (self.item(ref) for ref in self.cases)

    def case(self, item_id: str) -> CaseRef:
        """Find a case by its id.

        Raises:
            KeyError: no case has this id.
        """
        family, _, digits = item_id.rpartition("_")
        if family in self._rank and digits.isdecimal() and int(digits) < self.items_per_family:
            ref = self.cases[self._rank[family] * self.items_per_family + int(digits)]
            if ref.id == item_id:
                return ref
        raise KeyError(f"no PlotChain item {item_id!r} among {len(self.cases)}")

    def item(self, ref: CaseRef) -> Item:
        """Build one item; its picture is drawn only when the bytes are asked for."""
        family = self.edition.family(ref.family)
        case = PlotCase(
            params=self._params(family, ref), difficulty=ref.difficulty, seed=item_seed(*self._origin(ref))
        )
        record = _record(family, case, ref)
        picture = PlotPicture(
            item_id=ref.id,
            edition=self.edition.name,
            family=ref.family,
            params=family.dump(case.params),
            difficulty=ref.difficulty,
            seed=case.seed,
        )
        return item_from_record(record, index=ref.index, edition=self.edition, picture=picture)

    def _origin(self, ref: CaseRef) -> tuple[int | str, ...]:
        return (*self.edition.seed_prefix, self.seed, ref.family, ref.index)

    def _params(self, family: PlotFamily[Any], ref: CaseRef) -> object:
        if not family.redraws:
            return self._sample(family, ref)
        first = self._rank[ref.family] * self.items_per_family
        with self._lock:
            sampled = self._sampled.setdefault(ref.family, [])
            for earlier in self.cases[first + len(sampled) : first + ref.index + 1]:
                sampled.append(self._sample(family, earlier))
            return sampled[ref.index]

    def _sample(self, family: PlotFamily[Any], ref: CaseRef) -> object:
        origin = self._origin(ref)
        rng = np.random.default_rng(item_seed(*origin))
        used = self._used.setdefault(ref.family, set())
        return family.sample(PlotDraws(rng=rng, difficulty=ref.difficulty, used=used, origin=origin))


def _record(family: PlotFamily[Any], case: PlotCase[Any], ref: CaseRef) -> PlotRecord:
    truth = family.rounded_truth(case.params)
    tolerances = family.tolerances(case.params)
    shown = [spec for spec in family.fields if spec.name in truth]
    finals = [spec.name for spec in shown if not spec.is_checkpoint]
    checkpoints = [spec.name for spec in shown if spec.is_checkpoint]
    return PlotRecord(
        id=ref.id,
        family=ref.family,
        image_path=f"images/{ref.family}/{ref.id}.png",
        question=family.question(case.params),
        truth={**truth},
        params=family.dump(case.params),
        difficulty=ref.difficulty,
        final_fields=tuple(finals),
        checkpoint_fields=tuple(checkpoints),
        generation={
            "seed": case.seed,
            "difficulty": case.difficulty,
            "edge_tag": family.tag(case.difficulty),
            "final_fields": [*finals],
            "checkpoint_fields": [*checkpoints],
            **family.generation(case),
        },
        tolerances=tolerances,
    )
