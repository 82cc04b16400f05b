"""`python -m bench.leaderboard`: runs that are finished, merged and compared without a request to any model.

python -m bench.leaderboard RUN... [--out DIR]
python -m bench.leaderboard gate OLD NEW [--aa RUN] [--margin M] [--out DIR]
python -m bench.leaderboard baseline RUN -o FILE [--model NAME]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import EyechartError
from bench.gate.baseline import open_outcomes, write_baseline
from bench.gate.decision import decide
from bench.gate.text import append_step_summary, format_gate, write_gate
from bench.options import Margins, parse_margins
from bench.results.manifest import cost_by_price, prices_from_json
from bench.results.merge import merge
from bench.results.run_folder import RunFolder, read_run, write_records, write_truths
from bench.tables.leaderboard import model_pairs
from bench.tables.run_files import write_tables
from bench.tables.summary import format_models

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.results.run_folder import StoredRun

__all__ = ["main"]

PICTURES = ("geometry/annotated", "auxsolidmath/images")
"""Folders of pictures in a run's folder."""

WRONG_CALL = 2
"""Exit status of a wrong call or an unreadable file: none of the gate's verdicts."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: the gate's verdict, 0, or 2 with one line on standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    named = given[:1] in (["gate"], ["baseline"])
    options = (_parser() if named else _merging_parser()).parse_args(given)
    try:
        status: int = options.run(options)
    except (EyechartError, OSError) as error:
        print(f"bench.leaderboard: {error}", file=sys.stderr)
        return WRONG_CALL
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.leaderboard", description="Compare finished runs.")
    commands = parser.add_subparsers(required=True)
    gate = commands.add_parser("gate", help="decide whether a new model may replace an old one")
    gate.set_defaults(run=_gate)
    gate.add_argument("old", metavar="OLD", type=Path, help="folder of the old model's run, or a baseline file")
    gate.add_argument("new", metavar="NEW", type=Path, help="folder of the new model's run, or a baseline file")
    gate.add_argument(
        "--aa", metavar="RUN", type=Path, help="a second run of the old model: gives the noise floor"
    )
    gate.add_argument("--margin", metavar="M", type=_margins, help="points, overall/suite, or strict (2/2)")
    gate.add_argument("--out", metavar="DIR", type=Path, help="write gate.json and gate.md there")
    baseline = commands.add_parser("baseline", help="write what the gate needs of a run as a small file")
    baseline.set_defaults(run=_baseline)
    baseline.add_argument("source", metavar="RUN", type=Path, help="folder of the run")
    baseline.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the file to write")
    baseline.add_argument("--model", metavar="NAME", help="which model, where the run has several")
    return parser


def _merging_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.leaderboard",
        description="Merge finished runs - shards, models, or both - and compare the models.",
        epilog="commands of their own: gate OLD NEW, baseline RUN -o FILE (see gate --help, baseline --help)",
    )
    parser.set_defaults(run=_merge)
    parser.add_argument("runs", metavar="RUN", type=Path, nargs="+", help="folder of a finished run")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="write the merged run there: tables, records, run.json"
    )
    return parser


def _margins(text: str) -> Margins:
    try:
        return parse_margins(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"expected {error}, got {text!r}") from None


def _gate(options: argparse.Namespace) -> int:
    second = None if options.aa is None else open_outcomes(options.aa)
    result = decide(
        open_outcomes(options.old), open_outcomes(options.new), margins=options.margin, second_run=second
    )
    print("\n".join(format_gate(result)))
    if options.out is not None:
        write_gate(options.out, result)
    append_step_summary(result, os.environ)
    return result.exit_code


def _merge(options: argparse.Namespace) -> int:
    merged = merge([read_run(path) for path in options.runs], into=options.out or options.runs[0])
    print("\n".join(format_models(merged.records, model_pairs(merged.records))))
    if not merged.manifest["complete"]:
        print("incomplete: a shard or a case is absent")
    if options.out is not None:
        print(f"results: {_write_merged(merged, options.runs)}")
    return 0


def _write_merged(merged: StoredRun, parts: Iterable[Path]) -> Path:
    """Write the merged run into its folder, with the pictures of its parts; return the folder.

    Raises:
        UserError: the folder holds something else than an earlier merger of the same models.
        OSError: it cannot be written.
    """
    models = [(model["provider"], model["name"]) for model in merged.manifest["models"]]
    folder = RunFolder(merged.path, models)
    folder.make_room(merged.manifest["cases_selected"])
    write_records(folder.path, merged.records)
    write_truths(folder.path, merged.truths)
    write_tables(
        merged.records,
        folder.path,
        truths=merged.truths,
        options=merged.manifest["options"],
        elapsed_s=merged.manifest["elapsed_s"],
        cost_usd=cost_by_price(prices_from_json(merged.manifest["prices"])),
    )
    for part in parts:
        for name in PICTURES:
            if (part / name).is_dir():
                shutil.copytree(part / name, folder.path / name, dirs_exist_ok=True)
    folder.write_manifest(merged.manifest)
    return folder.path


def _baseline(options: argparse.Namespace) -> int:
    outcomes = open_outcomes(options.source, model=options.model)
    write_baseline(options.output, outcomes)
    print(f"{len(outcomes.cases)} cases of {outcomes.provider}:{outcomes.model} written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
