"""Items and drawn axes of edition v5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generators.plotchain import PlotChainSource
from generators.plotchain.family import EDITIONS, PlotCase

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item
    from generators.plotchain.source import CaseRef

V5 = EDITIONS["v5"]
KEPT_AXES = 60


@pytest.fixture(scope="session")
def v5_axes() -> Callable[[Item], Axes]:
    """Function from an item to the axes that its picture is made of; the last ones are kept."""
    kept: dict[str, Axes] = {}

    def axes(item: Item) -> Axes:
        from generators.plotchain.rendering import build_figure, pinned_style  # noqa: PLC0415

        key = str(item.picture.key)
        if key not in kept:
            with pinned_style():
                kept[key] = build_figure(V5.family(item.family), case_of(item)).axes[0]
        if len(kept) > KEPT_AXES:
            del kept[next(iter(kept))]
        return kept[key]

    return axes


def case_of(item: Item) -> PlotCase[Any]:
    """What the item's picture is drawn from."""
    difficulty: Any = item.difficulty
    return PlotCase(params=V5.family(item.family).restore(item.params), difficulty=difficulty, seed=0)


def fresh(seed: int, count: int, *families: str) -> list[Item]:
    """Items of a seed, of these families or of all."""
    source = PlotChainSource(edition="v5", seed=seed, items_per_family=count)

    def wanted(case: CaseRef) -> bool:
        return not families or case.family in families

    return [source.item(case) for case in source.cases if wanted(case)]
