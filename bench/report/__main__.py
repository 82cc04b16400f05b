"""`python -m bench.leaderboard.report RUN`: write a finished run's report again, with pictures it had not drawn.

python -m bench.leaderboard.report RUN [--out F.html] [--draw] [--cache DIR] [--validity DIR]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import EyechartError, UserError
from bench.gate.text import GATE_JSON
from bench.options import Settings
from bench.report.gate_section import stored_gate
from bench.report.page import REPORT, write_run_report
from bench.report.validity_section import read_validity
from bench.results.manifest import cost_by_price, prices_from_json
from bench.results.run_folder import read_run
from bench.suites import open_suites
from bench.suites.image_cache import Pictures
from generators.errors import ItemDataError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.results.record import Record
    from bench.results.run_folder import StoredRun
    from generators.items import Item

__all__ = ["main"]

CACHE = Path(".pytest_cache/eyechart")

WITHOUT_PICTURES = "calibration"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report; returns the exit status: 0, or 1 with one line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        run = read_run(options.run)
        pictures = Pictures(options.cache / "pictures", drawing=options.cache / "drawing-none")
        written = write_run_report(
            run.path,
            manifest=run.manifest,
            records=run.records,
            cost_usd=cost_by_price(prices_from_json(run.manifest.get("prices", ()))),
            find_item=_items(run),
            png=pictures.png if options.draw else pictures.without_drawing,
            copies=pictures.copies,
            gate=stored_gate(run.path / GATE_JSON),
            validity=None if options.validity is None else read_validity(options.validity),
            out=options.out,
        )
    except (EyechartError, ItemDataError, OSError) as error:
        print(f"bench.leaderboard.report: {error}", file=sys.stderr)
        return 1
    print(f"report: {written}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.leaderboard.report", description="Write a finished run's report.html again."
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the run's folder")
    parser.add_argument("--out", type=Path, metavar="F.html", help=f"the page; default RUN/{REPORT}")
    parser.add_argument("--draw", action="store_true", help="draw the pictures that the cache lacks")
    parser.add_argument(
        "--cache", type=Path, default=CACHE, metavar="DIR", help=f"where drawn pictures are kept; default {CACHE}"
    )
    parser.add_argument(
        "--validity", type=Path, metavar="DIR", help="show what python -m bench.leaderboard.validity wrote there"
    )
    return parser


def _items(run: StoredRun) -> Callable[[Record], Item]:
    """Return what finds a record's item; it raises KeyError where the run's suites have none.

    Raises:
        UserError: the run has records of a suite that this version lacks.
    """
    settings = Settings.from_json(run.manifest["options"])
    suites = {suite.name: suite for suite in open_suites(settings)}
    if missing := sorted({record.suite for record in run.records} - suites.keys() - {WITHOUT_PICTURES}):
        raise UserError(f"{run.path}: this version has no suite {missing[0]!r}")
    return lambda record: suites[record.suite].item(record.item_id, record.task)


if __name__ == "__main__":
    sys.exit(main())
