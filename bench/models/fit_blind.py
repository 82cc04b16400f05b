"""Fits the constants of the `blind` model: `python -m bench.models.fit_blind [--edition v5] [--seeds 100]`.

For each family and field, the constant that passes most often over items of the training seeds, under the
plotread tolerances. Seed 0, the published set, is never among them: `blind` knows the distribution, not the
items.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from typing import TYPE_CHECKING

from bench.models.offline import blind_constants_file
from bench.suites.plotchain import own_tolerances
from generators.plotchain.registry import EDITIONS
from generators.plotchain.source import PlotChainSource
from scorers.tolerances import tolerance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = ["best_constant", "fit", "main", "passing"]

TRAINING_SEEDS = range(1, 101)
ITEMS_PER_FAMILY = 30
SIGNIFICANT_DIGITS = 4


def best_constant(intervals: Sequence[tuple[float, float]]) -> float:
    """Return the point inside most of the closed intervals [low, high]: the middle of the widest such stretch.

    Raises:
        ValueError: there is no interval.
    """
    if not intervals:
        raise ValueError("expected at least one interval")
    edges = sorted([(low, 0) for low, _ in intervals] + [(high, 1) for _, high in intervals])
    inside = most = 0
    best = (0.0, intervals[0][0], intervals[0][0])
    for place, (start, is_end) in enumerate(edges):
        inside += -1 if is_end else 1
        if is_end:
            continue
        end = edges[place + 1][0]
        if inside > most or (inside == most and end - start > best[0]):
            most, best = inside, (end - start, start, end)
    return (best[1] + best[2]) / 2


def fit(seeds: Iterable[int], *, edition: str) -> dict[str, dict[str, float]]:
    """Return family -> field -> constant."""
    intervals: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for seed in seeds:
        for item in PlotChainSource(edition=edition, seed=seed, items_per_family=ITEMS_PER_FAMILY):
            for field in (*item.final_fields, *item.checkpoint_fields):
                intervals[item.family][field].append(passing(item, field, policy="plotread"))
    return {
        family: {field: _rounded(best_constant(found)) for field, found in fields.items()}
        for family, fields in intervals.items()
    }


def passing(item: Item, field: str, *, policy: Policy) -> tuple[float, float]:
    """Return the smallest and the largest answer that passes.

    Raises:
        TypeError: the truth is no number.
    """
    truth = item.truth[field]
    if not isinstance(truth, int | float):
        raise TypeError(f"{item.id}.{field}: expected a number, got {truth!r}")
    own = own_tolerances(item, policy).get(field)
    bound = own or tolerance(item.family, field, truth=float(truth), policy=policy)
    reach = max(bound.absolute, bound.relative * max(abs(truth), 1e-12))
    return (truth - reach, truth + reach)


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")


def main() -> None:
    """Fit and write the constants."""
    parser = argparse.ArgumentParser(description="Fit the constants of the blind model.")
    parser.add_argument("--seeds", type=int, default=len(TRAINING_SEEDS), help="fit on seeds 1 to this")
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="v4")
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    content = {
        "about": "constants per family and field; made by python -m bench.models.fit_blind",
        "seeds": [seeds.start, seeds.stop - 1],
        "items_per_family": ITEMS_PER_FAMILY,
        "policy": "plotread",
        "constants": fit(seeds, edition=options.edition),
    }
    blind_constants_file(options.edition).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
