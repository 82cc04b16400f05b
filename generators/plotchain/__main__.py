"""Command line: `python -m generators.plotchain --out_dir D --n_per_family 30 --seed 0`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generators.picture_release import STOPPING, at_least, exit_status, tell_pictures
from generators.plotchain.family import EDITIONS
from generators.plotchain.release import write_release
from generators.plotchain.source import PlotChainSource

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a set and return the exit status: 0, 1 for a failure, 130 when interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m generators.plotchain",
        description="Write a PlotChain set: records, pictures and validation tables. Run again to resume.",
    )
    parser.add_argument("--out_dir", type=Path, required=True, help="folder to write")
    parser.add_argument("--n_per_family", type=at_least(1), default=30, help="items a family (default 30)")
    parser.add_argument("--seed", type=int, default=0, help="0 is the published set (default)")
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="v4")
    parser.add_argument("--jobs", type=at_least(1), default=os.cpu_count() or 1, help="drawing processes")
    options = parser.parse_args(arguments)
    source = PlotChainSource(edition=options.edition, seed=options.seed, items_per_family=options.n_per_family)
    try:
        report = write_release(source, options.out_dir, jobs=options.jobs, tell=tell_pictures)
    except STOPPING as error:
        return exit_status(error, program="generators.plotchain", folder=options.out_dir)
    print(
        f"{report.items} items in {options.out_dir}: {report.drawn} pictures drawn, {report.kept} kept, "
        f"{report.disputed} values disputed by the baseline"
    )
    return 1 if report.disputed else 0


if __name__ == "__main__":
    sys.exit(main())
