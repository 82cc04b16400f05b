"""The validity of the geometry suite, task by task."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.models.reader.reading import read
from bench.validity.blind_rates import rate
from bench.validity.evidence import PictureEvidence, gather, pixels_sha256
from bench.validity.report import FamilyValidity, FieldValidity, SuiteValidity
from bench.validity.verdicts import judged
from generators.geometry import GeometrySource, blind_answer, tasks_of
from generators.geometry.answers import oracle_answer
from generators.geometry.prompts import prompt_for
from generators.geometry.records import task_item
from generators.geometry.tasks import TASKS
from scorers.geometry import score_geometry
from scorers.geometry.locate import match_radius_um
from scorers.geometry.thresholds import THRESHOLDS
from scorers.geometry.truth import dots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generators.geometry.tasks import Task
    from generators.items import Item

__all__ = ["geometry_validity"]

_CHOICES: Mapping[Task, str] = {"PATTERN": "pattern", "DEFECT": "has_defects", "REGULARITY": "regularity"}
_LEAST_MOVED = 0.5  # of the displacement: every dot of HSRP is moved by half to all of it
_LOCATE_CANDIDATES = ("HSFR_sp8_wb", "HSFR_sp12_wb", "HSFR_sp16_wb")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    seed: int
    image_id: str


def geometry_validity(*, seed: int, looks: bool, say: Callable[[str], None]) -> SuiteValidity:
    """Examine the standard suite of one seed: rows by task over all its classes, rows by class.

    Where the answer is a choice (PATTERN, DEFECT, REGULARITY) blind rates are averages over the true answers, and
    chance is one over their number; constants of other seeds are those of the `blind` model (seeds 1 to 5).
    Pixels: LOCATE, how far a position may be off; SIZE and SPACING, by how much a length may be; DEFECT,
    REGULARITY, half of what tells an extra or a displaced spot from one on its site.
    Without `looks` no picture is drawn or read.
    """
    source = GeometrySource(seed=seed)
    items = list(source)
    seen: dict[str, PictureEvidence] = {}
    if looks:
        orders = [_Order(seed=seed, image_id=item.id) for item in items]
        found = gather(look_at_dots, orders, say=say, what="drawing and reading dot images")
        seen = {item.id: one for item, one in zip(items, found, strict=True)}
    return SuiteValidity(
        fields=tuple(_task_row(task, items, seen) for task in TASKS), families=tuple(_classes(items, seen))
    )


def look_at_dots(order: _Order) -> PictureEvidence:
    """Draw one dot image, hash its pixels and let the reader do its tasks."""
    item = GeometrySource(seed=order.seed).item(order.image_id)
    picture = item.picture.png()
    passed = {}
    for task in tasks_of(item):
        outcome = read(picture, task_item(item, task).prompt)
        passed[str(task)] = score_geometry(task, outcome.text if outcome.answered else None, item.truth).passed
    return PictureEvidence(pixels_sha256=pixels_sha256(picture), reader=passed)


def _task_row(task: Task, items: Sequence[Item], seen: Mapping[str, PictureEvidence]) -> FieldValidity:
    pictures = [item for item in items if task in tasks_of(item)]
    read = [(item.family, seen[item.id].reader[task]) for item in pictures if item.id in seen]
    pixels = [found for item in pictures if (found := _pixels(task, item)) is not None]
    others = _balanced(task, pictures, [_passes(task, blind_answer(task, item.truth), item) for item in pictures])
    return judged(
        FieldValidity(
            suite="geometry",
            family="all classes",
            field=task,
            items=len(pictures),
            one_px_smallest=min(pixels, default=None),
            one_px_median=statistics.median(pixels) if pixels else None,
            all_px_smallest=min(pixels, default=None),
            all_px_median=statistics.median(pixels) if pixels else None,
            below_1_px=sum(found < 1 for found in pixels) if pixels else None,
            below_2_px=sum(found < 2 for found in pixels) if pixels else None,  # noqa: PLR2004
            blind_same_seed=_best_constant_rate(task, pictures),
            blind_other_seeds=others,
            chance=1 / len(_labels(task, pictures)) if task in _CHOICES else 0.0,
            reader=rate(passed for _, passed in read) if read else None,
            reader_by_group={
                family: rate(passed for own, passed in read if own == family)
                for family in dict.fromkeys(own for own, _ in read)
            },
        )
    )


def _passes(task: Task, answer: str, item: Item) -> bool:
    return score_geometry(task, answer, item.truth).passed


def _best_constant_rate(task: Task, items: Sequence[Item]) -> float:
    """Try the constant of other seeds and every true answer, of LOCATE's those of the exact lattices.

    There is a constant for each wording of the question: SIZE has two.
    """
    passed: dict[str, list[bool]] = {}
    for prompt in dict.fromkeys(prompt_for(task, item.truth) for item in items):
        own = [item for item in items if prompt_for(task, item.truth) == prompt]
        tried = [item for item in own if task != "LOCATE" or item.id in _LOCATE_CANDIDATES]
        truths = (oracle_answer(task, item.truth) for item in tried)
        answers = dict.fromkeys([blind_answer(task, own[0].truth), *truths])
        verdicts = [[_passes(task, answer, item) for item in own] for answer in answers]
        passed[prompt] = max(verdicts, key=lambda verdict: _balanced(task, own, verdict))
    return _balanced(task, items, [passed[prompt_for(task, item.truth)].pop(0) for item in items])


def _balanced(task: Task, items: Sequence[Item], passed: Sequence[bool]) -> float:
    """Return the pass rate, averaged over the true answers where the answer is a choice."""
    if task not in _CHOICES:
        return rate(passed)
    groups: dict[object, list[bool]] = defaultdict(list)
    for item, verdict in zip(items, passed, strict=True):
        groups[item.truth[_CHOICES[task]]].append(verdict)
    return statistics.fmean(rate(group) for group in groups.values())


def _labels(task: Task, items: Iterable[Item]) -> set[object]:
    return {item.truth[_CHOICES[task]] for item in items}


def _pixels(task: Task, item: Item) -> float | None:
    """Return how fine the task asks one to look at a picture, in pixels; None where that has no meaning."""
    truth: Any = item.truth
    scale = truth["um_per_px"]
    if task == "LOCATE":
        area = truth["width_px"] * truth["height_px"] * scale**2
        spacing = truth["lattice_spacing_um"]
        radii = [
            match_radius_um(dot, count=truth["count"], area_um2=area, lattice_spacing_um=spacing)
            for dot in dots_of(truth)
        ]
        return float(min(radii) / scale)
    if task == "SIZE":
        return float(THRESHOLDS.length_rel * (truth["diameter_um"] or truth["smallest_diameter_um"]) / scale)
    if task == "SPACING":
        return float(THRESHOLDS.length_rel * truth["spacing_um"] / scale)
    if task == "DEFECT":
        offsets = _extra_offsets_um(truth)
        return min(offsets) / 2 / scale if offsets else None
    if task == "REGULARITY" and item.params["displacement_um"]:
        moved: Any = item.params["displacement_um"]
        return float(_LEAST_MOVED * moved / 2 / scale)
    return None


def _extra_offsets_um(truth: Any) -> list[float]:  # noqa: ANN401
    """Return how far each extra dot lies from the nearest site, taken or empty."""
    sites = [dot for dot in truth["dots"] if dot["role"] == "lattice"] + truth["missing_sites"]
    return [
        min(math.hypot(dot["x_um"] - site["x_um"], dot["y_um"] - site["y_um"]) for site in sites)
        for dot in truth["dots"]
        if dot["role"] == "noise"
    ]


def _classes(items: Sequence[Item], seen: Mapping[str, PictureEvidence]) -> Iterator[FamilyValidity]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for item in items:
        if item.id in seen:
            grouped[item.family].append(seen[item.id].pixels_sha256)
    for family, digests in grouped.items():
        yield FamilyValidity(
            suite="geometry", family=family, pictures=len(digests), distinct=len(Counter(digests)), clashing=0
        )
