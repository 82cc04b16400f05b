"""The best one-to-one assignment between few truths and many claims, where only near ones may pair."""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Edge", "assign"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A claim that may be paired with a truth, and at what cost (at least 0)."""

    claim: int
    truth: int
    cost: float


Costs = dict[int, dict[int, float]]


def assign(edges: Iterable[Edge]) -> list[Edge]:
    """Return the pairing with the most pairs and, among those, the least total cost.

    Connected parts are solved one by one. Of m truths in a part each needs its m cheapest claims only, since
    the others can take at most m - 1 of them; the rest is dropped. Each part is then solved by shortest
    augmenting paths (Bellman and Ford with a queue): after every path the pairing is the cheapest of its size.
    Equal input gives an equal pairing.
    """
    costs: Costs = {}
    for edge in edges:
        costs.setdefault(edge.truth, {})[edge.claim] = edge.cost
    return sorted(
        (pair for truths in _parts(costs) for pair in _solve({truth: costs[truth] for truth in truths})),
        key=lambda pair: pair.truth,
    )


def _parts(costs: Costs) -> Iterable[list[int]]:
    """Yield the truths of each connected part."""
    by_claim: dict[int, list[int]] = {}
    for truth, row in costs.items():
        for claim in row:
            by_claim.setdefault(claim, []).append(truth)
    unseen = dict.fromkeys(sorted(costs))
    while unseen:
        first, _ = next(iter(unseen)), unseen.pop(next(iter(unseen)))
        part, waiting = [first], [first]
        while waiting:
            for claim in costs[waiting.pop()]:
                for truth in by_claim.pop(claim, ()):
                    if truth in unseen:
                        unseen.pop(truth)
                        part.append(truth)
                        waiting.append(truth)
        yield part


def _solve(costs: Costs) -> list[Edge]:
    most = len(costs)
    kept = {
        truth: dict(heapq.nsmallest(most, row.items(), key=lambda entry: (entry[1], entry[0])))
        for truth, row in costs.items()
    }
    taken: dict[int, int] = {}
    held: dict[int, int] = {}
    while path := _cheapest_path(kept, taken, held):
        for truth, claim in path:
            taken[claim], held[truth] = truth, claim
    return [Edge(claim=claim, truth=truth, cost=kept[truth][claim]) for truth, claim in held.items()]


def _cheapest_path(costs: Costs, taken: dict[int, int], held: dict[int, int]) -> Sequence[tuple[int, int]]:
    """Find the cheapest way to pair one more truth, as new pairs from its end to its start; empty without any."""
    reach = {truth: (0.0 if truth not in held else math.inf) for truth in costs}
    came: dict[int, int] = {}
    waiting = deque(truth for truth in costs if truth not in held)
    while waiting:
        truth = waiting.popleft()
        for claim, cost in costs[truth].items():
            owner = taken.get(claim)
            if owner is None or owner == truth:
                continue
            length = reach[truth] + cost - costs[owner][claim]
            if length < reach[owner] - 1e-12:
                reach[owner], came[owner] = length, truth
                waiting.append(owner)
    return _backtrack(_cheapest_end(costs, taken, reach), came, held)


def _cheapest_end(costs: Costs, taken: dict[int, int], reach: dict[int, float]) -> tuple[int, int] | None:
    ends = (
        (reach[truth] + cost, truth, claim)
        for truth, row in costs.items()
        if math.isfinite(reach[truth])
        for claim, cost in row.items()
        if claim not in taken
    )
    best = min(ends, default=None)
    return None if best is None else (best[1], best[2])


def _backtrack(
    end: tuple[int, int] | None, came: dict[int, int], held: dict[int, int]
) -> Sequence[tuple[int, int]]:
    """Follow the path back: each truth on it takes the claim that the truth behind it held."""
    path: list[tuple[int, int]] = []
    while end is not None:
        path.append(end)
        truth = end[0]
        end = (came[truth], held[truth]) if truth in came else None
    return path
