"""The validity of the dot images, task by task, and of the solid-geometry problems, by split and family."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.models.reader.reading import read
from bench.validity.evidence import PictureEvidence, gather, pixels_sha256, rate
from bench.validity.readings import PixelTolerance, pixel_figures
from bench.validity.report import FamilyValidity, FieldValidity, SuiteValidity, judged
from generators.auxsolidmath.registry import DIFFICULTIES, family_named, list_problems
from generators.auxsolidmath.source import plan_split
from generators.geometry import GeometrySource, blind_answer, tasks_of
from generators.geometry.records import task_item
from generators.geometry.tasks import TASKS, oracle_answer, prompt_for
from scorers.geometry import score_geometry
from scorers.geometry.locate import match_radius_um
from scorers.geometry.tasks import THRESHOLDS, dots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generators.auxsolidmath.problem import Difficulty
    from generators.geometry.tasks import Task
    from generators.items import Item

__all__ = ["auxsolidmath_validity", "geometry_validity"]


_CHOICES: Mapping[Task, str] = {"PATTERN": "pattern", "DEFECT": "has_defects", "REGULARITY": "regularity"}
_LEAST_MOVED = 0.5  # of the displacement: every dot of HSRP is moved by half to all of it
_LOCATE_CANDIDATES = ("HSFR_sp8_wb", "HSFR_sp12_wb", "HSFR_sp16_wb")


def geometry_validity(*, seed: int, looks: bool, say: Callable[[str], None]) -> SuiteValidity:
    """Examine the standard suite of one seed: rows by task over all its classes, rows by class.

    Where the answer is a choice (PATTERN, DEFECT, REGULARITY) blind rates are averages over the true answers, and
    chance is one over their number; constants of other seeds are those of the `blind` model (seeds 1 to 5).
    Pixels: LOCATE, how far a position may be off; SIZE and SPACING, by how much a length may be; DEFECT,
    REGULARITY, half of what tells an extra or a displaced spot from one on its site.
    Without `looks` no picture is drawn or read.
    """
    items = list(GeometrySource(seed=seed))
    seen: dict[str, PictureEvidence] = {}
    if looks:
        ids = [item.id for item in items]
        found = gather(partial(_look, seed), ids, say=say, what="drawing and reading dot images")
        seen = dict(zip(ids, found, strict=True))
    return SuiteValidity(
        fields=tuple(_task_row(task, items, seen) for task in TASKS), families=tuple(_classes(items, seen))
    )


def _look(seed: int, image_id: str) -> PictureEvidence:
    """Draw one dot image, hash its pixels and let the reader do its tasks."""
    item = GeometrySource(seed=seed).item(image_id)
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
            **pixel_figures([PixelTolerance(one_px=found, all_px=found) for found in pixels]),
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


_TRAINING_SEEDS = 5


def auxsolidmath_validity(*, seed: int) -> SuiteValidity:
    """Return a row for each split, and one for each family whose answer is calculated.

    Proofs state their answer and are left out. `blind_same_seed` is the share of the commonest answer among these
    problems; `blind_other_seeds` that of the commonest over all parameters of the family, or, for a split, over
    the problems of the seeds that follow. Problems are planned, not drawn.
    """
    return SuiteValidity(fields=tuple(row for level in DIFFICULTIES for row in _split_rows(level, seed)))


def _split_rows(difficulty: Difficulty, seed: int) -> Iterator[FieldValidity]:
    answers = _answers(difficulty, seed)
    others = [
        answer
        for other in range(seed + 1, seed + 1 + _TRAINING_SEEDS)
        for given in _answers(difficulty, other).values()
        for answer in given
    ]
    yield _row(f"all {difficulty}", [answer for given in answers.values() for answer in given], _commonest(others))
    for family, given in sorted(answers.items()):
        chosen = family_named(family)
        yield _row(family, given, _commonest(chosen.answer(params).text for params in chosen.grid()))


def _answers(difficulty: Difficulty, seed: int) -> dict[str, list[str]]:
    """Return the calculated answers of a split by family."""
    count = sum(ref.difficulty == difficulty for ref in list_problems())
    found: dict[str, list[str]] = defaultdict(list)
    for choice in plan_split(seed, difficulty, count).values():
        if family_named(choice.family).kind == "CALCULATION":
            found[choice.family].append(choice.answer)
    return found


def _commonest(answers: Iterable[str]) -> str:
    """Return the most frequent answer, the first by its text of several."""
    counts = Counter(answers)
    return min(counts, key=lambda answer: (-counts[answer], answer))


def _row(family: str, answers: Sequence[str], constant: str) -> FieldValidity:
    own = _commonest(answers)
    return judged(
        FieldValidity(
            suite="auxsolidmath",
            family=family,
            field="answer",
            items=len(answers),
            blind_same_seed=rate(answer == own for answer in answers),
            blind_other_seeds=rate(answer == constant for answer in answers),
        )
    )
