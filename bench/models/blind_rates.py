"""How often the constants of `blind` pass: `python -m bench.models.blind_rates --edition v5 --seed 7`.

Prints, for each family and field and overall, the share of fresh items that the shipped constant passes under
both policies, in percent. Pictures are not drawn, so ten thousand items take seconds.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import TYPE_CHECKING

from bench.models.fit_blind import passing
from bench.models.offline import blind_constants
from generators.plotchain.registry import EDITIONS
from generators.plotchain.source import PlotChainSource
from scorers.tolerances import POLICIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = ["OVERALL", "main", "rates"]

OVERALL = "overall"


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
