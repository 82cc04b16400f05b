"""The suites of a run, made from its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.auxsolidmath_items import open_problems
from bench.auxsolidmath_suite import AuxSolidMath
from bench.calibration import Calibration
from bench.errors import UserError
from bench.geometry_suite import Geometry
from bench.plotchain_suite import PlotChain

if TYPE_CHECKING:
    from bench.cases import Suite
    from bench.contestants import Contestant
    from bench.items_source import ItemsSource
    from bench.options import Settings

__all__ = ["open_suites"]


def open_suites(
    settings: Settings, source: ItemsSource, *, judge: Contestant | None = None, calibrates: bool = False
) -> list[Suite]:
    """Return the suites in the order in which they run; `source` has PlotChain's items.

    `judge` is asked about solutions, `calibrates` adds the labelled solutions that are put to it.

    Raises:
        UserError: an option of a suite is not usable, or there is no judge to calibrate.
        ItemDataError: a suite's files cannot be used.
    """
    suites: list[Suite] = [
        PlotChain(source, policy=settings.policy),
        Geometry.from_settings(settings),
        AuxSolidMath(open_problems(settings), judge=judge),
    ]
    if not calibrates:
        return suites
    if judge is None:
        raise UserError("-m calibration puts labelled solutions to a judge: name one with --judge=SPEC")
    return [*suites, Calibration(judge)]
