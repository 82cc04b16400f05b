"""The suites of a run, made from its options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.suites.auxsolidmath import AuxSolidMath, open_problems
from bench.suites.calibration import Calibration
from bench.suites.geometry import Geometry
from bench.suites.plotchain import PlotChain, plot_items

if TYPE_CHECKING:
    from bench.models.resolve import ResolvedModel
    from bench.options import Settings
    from bench.suites.base import Suite

__all__ = ["open_suites", "suite_class"]

SUITES: dict[str, type[Suite]] = {suite.name: suite for suite in (PlotChain, Geometry, AuxSolidMath, Calibration)}


def suite_class(name: str) -> type[Suite]:
    """Return the class of the suite of that name.

    Raises:
        KeyError: there is no such suite.
    """
    return SUITES[name]


def open_suites(
    settings: Settings, *, judge: ResolvedModel | None = None, calibrates: bool = False
) -> list[Suite]:
    """Return the suites in the order in which they run.

    `judge` is asked about solutions, `calibrates` adds the labelled solutions that are put to it.

    Raises:
        UserError: an option of a suite is not usable, or there is no judge to calibrate.
        ItemDataError: a suite's files cannot be used.
    """
    suites: list[Suite] = [
        PlotChain(plot_items(settings), policy=settings.policy),
        Geometry.from_settings(settings),
        AuxSolidMath(open_problems(settings), judge=judge),
    ]
    if not calibrates:
        return suites
    if judge is None:
        raise UserError("-m calibration puts labelled solutions to a judge: name one with --judge=SPEC")
    return [*suites, Calibration(judge)]
