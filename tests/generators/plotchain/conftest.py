"""Items, pictures and figures of the published set, built once a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from generators.plotchain import PlotChainSource
from generators.plotchain.family import Edition, PlotCase
from generators.plotchain.pictures import PlotPicture

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

    from generators.items import Item


@pytest.fixture(scope="session")
def source() -> PlotChainSource:
    return PlotChainSource(edition="v4", seed=0, items_per_family=30)


@pytest.fixture(scope="session")
def items(source: PlotChainSource) -> list[Item]:
    return list(source)


@pytest.fixture(scope="session")
def v5_source() -> PlotChainSource:
    return PlotChainSource(edition="v5", seed=0, items_per_family=30)


@pytest.fixture(scope="session")
def v5_items(v5_source: PlotChainSource) -> list[Item]:
    return list(v5_source)


@pytest.fixture
def few_families(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Editions with three families, where the number of pictures is no part of the claim."""
    families = ("iv_diode", "pole_zero", "sn_curve")
    monkeypatch.setattr(Edition, "families", families)
    return families


@pytest.fixture(scope="session")
def drawn_case(source: PlotChainSource) -> Callable[[str], PlotCase[Any]]:
    """Function from an item's id to what its picture is drawn from."""

    def case_of(item_id: str) -> PlotCase[Any]:
        picture = source.item(source.case(item_id)).picture
        assert isinstance(picture, PlotPicture)
        family = source.edition.family(picture.family)
        return PlotCase(params=family.restore(picture.params), difficulty=picture.difficulty, seed=picture.seed)

    return case_of


@pytest.fixture(scope="session")
def axes_of(source: PlotChainSource, drawn_case: Callable[[str], PlotCase[Any]]) -> Callable[[str], Axes]:
    """Function from an item's id to the axes that its picture is made of."""
    from generators.plotchain.rendering import build_figure, pinned_style  # noqa: PLC0415

    def axes(item_id: str) -> Axes:
        with pinned_style():
            figure = build_figure(source.edition.family(item_id[:-4]), drawn_case(item_id))
        return figure.axes[0]

    return axes
