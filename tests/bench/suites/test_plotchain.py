"""The plots of a run: from the generator or from a data set file, listed without being made."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from bench.suites.plotchain import PlotItems, plot_items

if TYPE_CHECKING:
    from bench.options import Settings


def plots(**different: Any) -> PlotItems:
    recipe = {"edition": "v4", "item_seed": 3, "items_per_family": 2, "plotchain_data": None, **different}
    return plot_items(cast("Settings", SimpleNamespace(**recipe)))


@pytest.mark.parametrize("edition", ["v4", "v5"])
def test_every_listed_item_is_made_once_under_its_own_id(edition: str) -> None:
    found = plots(edition=edition)
    for ref in found.refs:
        item = found.item(ref.id)
        assert (item.id, item.difficulty) == (ref.id, ref.difficulty)
        assert found.item(ref.id) is item
    assert found.recipe == {"edition": edition, "seed": 3, "items_per_family": 2}
