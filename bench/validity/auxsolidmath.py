"""The floor of the solid-geometry suite: how often its commonest answers are right."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from bench.validity.blind_rates import rate
from bench.validity.report import FieldValidity, SuiteValidity
from bench.validity.verdicts import judged
from generators.auxsolidmath.registry import DIFFICULTIES, family_named, list_problems
from generators.auxsolidmath.source import plan_split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from generators.auxsolidmath.registry import Difficulty

__all__ = ["auxsolidmath_validity"]

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
