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
from bench.validity.examining import examine
from bench.validity.writing import write_report
from generators.errors import ItemDataError, PictureError
from generators.plotchain.registry import EDITIONS
from scorers.tolerances import POLICIES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Examine and write; returns the exit status: 0, 130 when stopped, or 1 with one line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        report = examine(
            edition=options.edition,
            seed=options.item_seed,
            items_per_family=options.items_per_family,
            policy=options.policy,
            looks=not options.skip_pictures,
            say=lambda line: print(f"validity: {line}", file=sys.stderr, flush=True),
        )
        write_report(report, options.out)
    except (EyechartError, ItemDataError, PictureError, OSError) as error:
        print(f"validity: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("validity: stopped, nothing was written", file=sys.stderr)
        return INTERRUPTED
    for finding in report.findings:
        print(f"- {finding}")
    print(f"written: {options.out}/validity.csv, validity.json, validity.md")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.leaderboard.validity",
        description="Say field by field whether the benchmark is sound.",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write into")
    parser.add_argument(
        "--edition", choices=sorted(EDITIONS), default="v4", help="PlotChain edition (default: v4)"
    )
    parser.add_argument("--item-seed", type=int, default=0, metavar="N", help="seed of the items (default: 0)")
    parser.add_argument(
        "--items-per-family",
        type=_positive,
        default=30,
        metavar="N",
        help="items of each plot family (default: 30)",
    )
    parser.add_argument("--policy", choices=POLICIES, default="plotread", help="tolerances (default: plotread)")
    parser.add_argument(
        "--skip-pictures",
        action="store_true",
        help="draw no picture: no reader, no search for copies; much faster",
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected at least 1, got {text}")
    return number


if __name__ == "__main__":
    sys.exit(main())
