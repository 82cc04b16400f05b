"""The suites of a run, made from its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.geometry_suite import Geometry
from bench.plotchain_suite import PlotChain

if TYPE_CHECKING:
    from bench.cases import Suite
    from bench.items_source import ItemsSource
    from bench.options import Settings

__all__ = ["open_suites"]


def open_suites(settings: Settings, source: ItemsSource) -> list[Suite]:
    """Return the suites in the order in which they run; `source` has PlotChain's items.

    Raises:
        UserError: an option of a suite is not usable.
        ItemDataError: a suite's files cannot be used.
    """
    return [
        PlotChain(source, policy=settings.policy),
        Geometry.from_settings(settings),
    ]
