"""Counts of fields read right, null and wrong over many plots; answers to prompts about other plots."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from bench.models.reader.reader import read
from bench.suites.plotchain import score_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generators.items import Item
    from scorers.tolerances import Policy

__all__ = ["Tally", "confused", "tally"]

FAR = 10.0


class Tally:
    """Fields right, null and wrong over many readings; `far` are wrong by more than ten tolerances."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.misses: list[str] = []
        self.far: list[str] = []

    def see(self, item: Item, picture: bytes) -> None:
        text = read(picture, item.prompt).text
        policies: tuple[Policy, ...] = ("plotread", "strict")
        for policy in policies:
            score = score_item(item, text, policy=policy)
            for row in score.fields:
                self.count[policy] += row.passed
                self.count["final"] += row.passed and row.scope == "final" and policy == "plotread"
                self.count["finals"] += row.scope == "final" and policy == "plotread"
                self.count["fields"] += policy == "plotread"
                self.count["null"] += row.prediction is None and policy == "plotread"
                if not row.passed:
                    self.misses.append(f"{item.id} {row.field} {policy}: {row.prediction}, truth {row.truth}")
                bound = max(row.abs_tol, row.rel_tol * abs(row.truth))
                if row.abs_err is not None and row.abs_err > FAR * bound:
                    self.far.append(self.misses[-1])

    def rate(self, which: str) -> float:
        return self.count[which] / self.count["finals" if which == "final" else "fields"]

    @property
    def wrong(self) -> int:
        return self.count["fields"] - self.count["plotread"] - self.count["null"]

    def __str__(self) -> str:
        rates = ", ".join(
            f"{name} {100 * self.rate(name):.2f} %" for name in ("plotread", "final", "strict", "null")
        )
        return "\n".join([f"{self.count['fields']} fields: {rates}", *self.misses])


def tally(items: Iterable[Item]) -> Tally:
    found = Tally()
    for item in items:
        found.see(item, item.picture.png())
    print(found)
    return found


def confused(items: Sequence[Item], prompts: Sequence[Item]) -> list[str]:
    """Return what is answered about pictures when the prompt asks for another kind of plot.

    The diode's target current is left out: the prompt states it, whatever the picture shows.
    """
    found = []
    for item in items:
        picture = item.picture.png()
        for other in (other for other in prompts if other.family != item.family):
            answer = json.loads(read(picture, other.prompt).text.splitlines()[-1])
            answer.pop("target_current_a", None)
            if any(value is not None for value in answer.values()):
                found.append(f"{item.id} asked as {other.family}: {answer}")
    return found
