"""`python -m bench.leaderboard.validity --out DIR`: is the benchmark itself sound?

python -m bench.leaderboard.validity --out DIR [--edition v4] [--item-seed N] [--items-per-family N] [--policy P]
                                       [--skip-pictures]

Examines every field of the plots and every task of the dot images: how many pixels its tolerance leaves, what
constants and fixed places pass, what the pixel-only reader passes, which pictures are copies. Writes validity.csv,
validity.json and validity.md. All cores are used: the standard sets take some two and a half minutes of processor
time, 40 seconds with --skip-pictures.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import EyechartError
from bench.validity.other_suites import auxsolidmath_validity, geometry_validity
from bench.validity.plotchain import PlotSet, plotchain_validity
from bench.validity.report import ValidityReport, findings, write_report
from generators.errors import ItemDataError, PictureError
from generators.picture_release import at_least
from generators.plotchain.family import EDITIONS
from scorers.tolerances import POLICIES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["examine", "main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine and write; returns the exit status: 0, 130 when stopped, or 1 with one line on standard error."""
    options = _parser().parse_args(arguments)
    plots = PlotSet(
        edition=options.edition,
        seed=options.item_seed,
        items_per_family=options.items_per_family,
        policy=options.policy,
    )
    try:
        report = examine(plots, looks=not options.skip_pictures, say=_say)
        write_report(report, options.out)
    except (EyechartError, ItemDataError, PictureError, OSError) as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt:
        _say("stopped, nothing was written")
        return INTERRUPTED
    for finding in report.findings:
        print(f"- {finding}")
    print(f"written: {options.out}/validity.csv, validity.json, validity.md")
    return 0


def examine(plots: PlotSet, *, looks: bool = True, say: Callable[[str], None] = lambda _: None) -> ValidityReport:
    """Examine all suites of one seed.

    Args:
        plots: the plots; their seed is that of all suites.
        looks: whether pictures are drawn, compared and read.
        say: gets lines of progress.

    Raises:
        PictureError: a picture cannot be drawn.
        ValueError: an unknown edition, or fewer than one item.
    """
    suites = (
        plotchain_validity(plots, looks=looks, say=say),
        geometry_validity(seed=plots.seed, looks=looks, say=say),
        auxsolidmath_validity(seed=plots.seed),
    )
    fields = tuple(row for suite in suites for row in suite.fields)
    families = tuple(row for suite in suites for row in suite.families)
    return ValidityReport(
        edition=plots.edition,
        seed=plots.seed,
        policy=plots.policy,
        fields=fields,
        families=families,
        findings=findings(fields, families),
    )


def _say(line: str) -> None:
    print(f"validity: {line}", file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.leaderboard.validity",
        description="Say field by field whether the benchmark is sound.",
    )
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="DIR", help="folder to write into")
    add("--edition", choices=sorted(EDITIONS), default="v4", help="PlotChain edition (default: v4)")
    add("--item-seed", type=int, default=0, metavar="N", help="seed of the items (default: 0)")
    items = "items of each plot family (default: 30)"
    add("--items-per-family", type=at_least(1), default=30, metavar="N", help=items)
    add("--policy", choices=POLICIES, default="plotread", help="tolerances (default: plotread)")
    skip = "draw no picture: no reader, no search for copies; much faster"
    add("--skip-pictures", action="store_true", help=skip)
    return parser


if __name__ == "__main__":
    sys.exit(main())
