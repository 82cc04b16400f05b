"""Puts the report together from its suites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.validity.auxsolidmath import auxsolidmath_validity
from bench.validity.findings import findings
from bench.validity.geometry import geometry_validity
from bench.validity.plotchain import plotchain_validity
from bench.validity.report import ValidityReport

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorers.tolerances import Policy

__all__ = ["examine"]


def examine(
    *,
    edition: str = "v4",
    seed: int = 0,
    items_per_family: int = 30,
    policy: Policy = "plotread",
    looks: bool = True,
    say: Callable[[str], None] = lambda _: None,
) -> ValidityReport:
    """Examine all suites of one seed.

    Args:
        edition: PlotChain edition.
        seed: master seed of all suites.
        items_per_family: plots of each family.
        policy: PlotChain tolerances.
        looks: whether pictures are drawn, compared and read.
        say: gets lines of progress.

    Raises:
        PictureError: a picture cannot be drawn.
        ValueError: an unknown edition, or fewer than one item.
    """
    plots = plotchain_validity(
        edition=edition, seed=seed, items_per_family=items_per_family, policy=policy, looks=looks, say=say
    )
    dots = geometry_validity(seed=seed, looks=looks, say=say)
    suites = (plots, dots, auxsolidmath_validity(seed=seed))
    fields = tuple(row for suite in suites for row in suite.fields)
    families = tuple(row for suite in suites for row in suite.families)
    return ValidityReport(
        edition=edition,
        seed=seed,
        policy=policy,
        fields=fields,
        families=families,
        findings=findings(fields, families),
    )
