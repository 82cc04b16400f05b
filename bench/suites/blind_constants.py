"""The constants of the `blind` model: how they are fitted, and how often they pass.

`python -m bench.suites.blind_constants --edition v5 --seed 7` prints, for each family and field and overall, the
share of fresh items that the shipped constant passes under both policies, in percent. Pictures are not drawn, so
ten thousand items take seconds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import DataError
from generators.plotchain.family import EDITIONS
from generators.plotchain.source import PlotChainSource
from scorers.tolerances import POLICIES, tolerance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = [
    "OVERALL",
    "best_constant",
    "blind_constants",
    "blind_constants_file",
    "fit",
    "main",
    "passing",
    "rates",
]

OVERALL = "overall"
SIGNIFICANT_DIGITS = 4


def blind_constants_file(edition: str) -> Path:
    """Return where an edition's constants lie."""
    return Path(__file__).with_name(f"blind_constants_{edition}.json")


@cache
def blind_constants(edition: str) -> Mapping[str, Mapping[str, float]]:
    """Return family -> field -> constant, as fitted by `python -m bench.suites.blind_constants`.

    Raises:
        DataError: the file of constants is missing or damaged.
    """
    path = blind_constants_file(edition)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        families: Mapping[str, Mapping[str, float]] = content["constants"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"blind constants {path.name}: cannot be read ({error})") from error
    return families


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


def fit(items: Iterable[Item]) -> dict[str, dict[str, float]]:
    """Return family -> field -> the constant that passes most often under the plotread policy, to four digits."""
    intervals: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        for field in (*item.final_fields, *item.checkpoint_fields):
            intervals[item.family][field].append(passing(item, field, policy="plotread"))
    return {
        family: {field: float(f"{best_constant(found):.{SIGNIFICANT_DIGITS}g}") for field, found in fields.items()}
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
    if field in item.tolerances:
        plotread, strict = item.tolerances[field]
        reach = plotread if policy == "plotread" else strict
    else:
        bound = tolerance(item.family, field, truth=float(truth), policy=policy)
        reach = max(bound.absolute, bound.relative * max(abs(truth), 1e-12))
    return (truth - reach, truth + reach)


def rates(items: Iterable[Item], *, edition: str, policy: Policy) -> dict[str, float]:
    """Return the share of items that the edition's constant passes, by "family.field" and over all fields."""
    constants = blind_constants(edition)
    hits: dict[str, list[bool]] = defaultdict(list)
    for item in items:
        for field in item.truth:
            low, high = passing(item, field, policy=policy)
            hit = low <= constants[item.family][field] <= high
            hits[f"{item.family}.{field}"].append(hit)
            hits[OVERALL].append(hit)
    return {name: sum(found) / len(found) for name, found in hits.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the rates of one seed."""
    parser = argparse.ArgumentParser(description="How often the constants of the blind model pass.")
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="v4")
    parser.add_argument("--seed", type=int, default=0, help="master seed of the items")
    parser.add_argument("--items-per-family", type=int, default=30)
    options = parser.parse_args(arguments)
    items = list(
        PlotChainSource(edition=options.edition, seed=options.seed, items_per_family=options.items_per_family)
    )
    found = [rates(items, edition=options.edition, policy=policy) for policy in POLICIES]
    print(f"{'':56}{'  '.join(POLICIES)}")
    for name in found[0]:
        print(f"{name:56}{'  '.join(f'{100.0 * shares[name]:8.2f}' for shares in found)}")


if __name__ == "__main__":
    main()
