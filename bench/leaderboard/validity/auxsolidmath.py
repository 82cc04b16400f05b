"""The floor of the solid-geometry suite: how often its commonest answers are right."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from bench.leaderboard.validity.blind_rates import rate
from bench.leaderboard.validity.report import FieldValidity
from bench.leaderboard.validity.verdicts import judged
from generators.auxsolidmath.source import AuxSolidMathSource, blind_answer

if TYPE_CHECKING:
    from generators.items import Item

__all__ = ["auxsolidmath_validity"]


def auxsolidmath_validity(*, seed: int) -> tuple[FieldValidity, ...]:
    """Return a row for each family whose answer is calculated; proofs state their answer and are left out.

    `blind_same_seed` is the share of the commonest answer among the family's items, `blind_other_seeds` that of
    the commonest over all parameters of the family.
    """
    grouped: dict[str, list[Item]] = defaultdict(list)
    for item in AuxSolidMathSource(seed=seed):
        if item.truth["kind"] == "CALCULATION":
            grouped[item.family].append(item)
    return tuple(
        judged(
            FieldValidity(
                suite="auxsolidmath",
                family=family,
                field="answer",
                items=len(items),
                blind_same_seed=Counter(str(item.truth["answer"]) for item in items).most_common(1)[0][1]
                / len(items),
                blind_other_seeds=rate(item.truth["answer"] == blind_answer(item) for item in items),
            )
        )
        for family, items in sorted(grouped.items())
    )
