"""`python -m bench.results`: what the reply store holds; export it, or prune it.

python -m bench.results list   [--replies FILE]
python -m bench.results export [--replies FILE] --to F.jsonl [--model NAME]
python -m bench.results prune  [--replies FILE] [--model NAME] [--older-than-days D] [--all] [--yes]
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import EyechartError, UserError
from bench.options import REPLIES
from bench.results.files import write_atomically
from bench.results.store import ReplyStore, Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

DAY_S = 86_400.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, or 1 with one line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        if not options.replies.is_file() or options.replies.stat().st_size == 0:
            raise UserError(f"no reply store at {options.replies}; name it with --replies")
        with ReplyStore(options.replies) as store:
            options.run(store, options)
    except (EyechartError, OSError, sqlite3.Error, ValueError, RecursionError) as error:
        print(f"bench.results: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.results", description="Look after the reply store.")
    commands = parser.add_subparsers(required=True)
    for name, action, about in (
        ("list", _list, "count the stored replies by model and status"),
        ("export", _export, "write stored replies as JSON lines"),
        ("prune", _prune, "delete stored replies"),
    ):
        command = commands.add_parser(name, help=about)
        command.set_defaults(run=action)
        command.add_argument("--replies", type=Path, default=REPLIES, help="the reply store")
        if name != "list":
            command.add_argument("--model", help="only replies of this model")
        if name == "export":
            command.add_argument("--to", type=Path, required=True, help="the file to write")
        if name == "prune":
            command.add_argument("--older-than-days", type=_days, help="only replies stored before that")
            command.add_argument("--all", action="store_true", help="replies of all models and any age")
            command.add_argument("--yes", action="store_true", help="delete; without it only count")
    return parser


def _list(store: ReplyStore, _: argparse.Namespace) -> None:
    print(f"{len(store)} replies in {store.path}")
    for count in store.counts():
        print(f"  {count.n:7d}  {count.provider}:{count.model}  {count.status}")


def _export(store: ReplyStore, options: argparse.Namespace) -> None:
    own = [store.path.with_name(store.path.name + end).resolve() for end in ("", "-wal", "-shm")]
    if options.to.resolve() in own or (options.to.exists() and options.to.samefile(store.path)):
        raise UserError(f"--to {options.to} is the reply store itself; name another file")
    rows = list(store.rows(Selection(model=options.model)))
    write_atomically(options.to, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
    print(f"{len(rows)} replies written to {options.to}")


def _days(text: str) -> float:
    days = float(text)
    if not (math.isfinite(days) and days >= 0):
        raise argparse.ArgumentTypeError(f"expected a number of days from 0, got {text!r}")
    return days


def _prune(store: ReplyStore, options: argparse.Namespace) -> None:
    days = options.older_than_days
    if options.model is None and days is None and not options.all:
        raise UserError("prune: name --model or --older-than-days, or --all for every reply that was paid for")
    before = None if days is None else time.time() - days * DAY_S
    chosen = Selection(model=options.model, stored_before=before)
    if options.yes:
        print(f"{store.delete(chosen)} replies deleted from {store.path}")
    else:
        count = sum(1 for _ in store.rows(chosen))
        print(f"{count} replies would be deleted from {store.path}; --yes deletes them")


if __name__ == "__main__":
    sys.exit(main())
