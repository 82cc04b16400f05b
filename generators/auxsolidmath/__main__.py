"""Command line: `python -m generators.auxsolidmath --out_dir D --seed 0`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generators.auxsolidmath.listing import EASY, HARD
from generators.auxsolidmath.source import AuxSolidMathSource
from generators.auxsolidmath.writer import SetReport, write_set
from generators.set_command import STOPPING, at_least, exit_status, tell_pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a set and return the exit status: 0, 1 for a failure, 130 when interrupted."""
    options = _parser().parse_args(arguments)
    source = AuxSolidMathSource(seed=options.seed, language=options.language, easy=options.easy, hard=options.hard)
    try:
        report = write_set(source, options.out_dir, processes=options.jobs, tell=tell_pictures)
    except STOPPING as error:
        return exit_status(error, program="generators.auxsolidmath", folder=options.out_dir)
    return _print_report(report, options.out_dir)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m generators.auxsolidmath",
        description="Write solid-geometry problems: records, diagrams, auxiliary drawings. Run again to resume.",
    )
    parser.add_argument("--out_dir", "--out-dir", type=Path, required=True, help="folder to write")
    parser.add_argument(
        "--seed", type=int, default=0, help="0 is the standard set (default), any other a fresh one"
    )
    parser.add_argument("--easy", type=at_least(0), default=EASY, help=f"easy problems (default {EASY})")
    parser.add_argument("--hard", type=at_least(0), default=HARD, help=f"hard problems (default {HARD})")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of `question`")
    parser.add_argument("--jobs", type=at_least(1), default=os.cpu_count() or 1, help="drawing processes")
    return parser


def _print_report(report: SetReport, folder: Path) -> int:
    blind = report.blind_shares
    print(f"{report.items} items in {folder}: {report.drawn} pictures drawn, {report.kept} kept")
    if blind.answer is not None:
        print(
            f"without looking: of the items with an answer to calculate, the commonest answer {blind.answer} "
            f"is right for {blind.share:.1%}, the commonest of each family for {blind.family_share:.1%}"
        )
    for line in report.failed:
        print(f"generators.auxsolidmath: {line}", file=sys.stderr)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
