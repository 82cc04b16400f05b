"""`python -m bench.results`: what the reply store holds; export it, or prune it.

python -m bench.results list   [--replies FILE]
python -m bench.results export [--replies FILE] --to F.jsonl [--model NAME]
python -m bench.results prune  [--replies FILE] [--model NAME] [--older-than-days D] [--yes]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import EyechartError, UserError
from bench.results.raw import write_atomically
from bench.results.store import ReplyStore, Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

DEFAULT_STORE = Path("results/replies.sqlite")
DAY_S = 86_400.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0, or 1 with one line on standard error."""
    options = _parser().parse_args(arguments)
    try:
        if not options.replies.is_file():
            raise UserError(f"no reply store at {options.replies}; name it with --replies")
        with ReplyStore(options.replies) as store:
            options.run(store, options)
    except (EyechartError, OSError) as error:
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
        command.add_argument("--replies", type=Path, default=DEFAULT_STORE, help="the reply store")
        if name != "list":
            command.add_argument("--model", help="only replies of this model")
        if name == "export":
            command.add_argument("--to", type=Path, required=True, help="the file to write")
        if name == "prune":
            command.add_argument("--older-than-days", type=float, help="only replies stored before that")
            command.add_argument("--yes", action="store_true", help="delete; without it only count")
    return parser


def _list(store: ReplyStore, _: argparse.Namespace) -> None:
    print(f"{len(store)} replies in {store.path}")
    for count in store.counts():
        print(f"  {count.n:7d}  {count.provider}:{count.model}  {count.status}")


def _export(store: ReplyStore, options: argparse.Namespace) -> None:
    rows = list(store.rows(Selection(model=options.model)))
    write_atomically(options.to, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
    print(f"{len(rows)} replies written to {options.to}")


def _prune(store: ReplyStore, options: argparse.Namespace) -> None:
    days = options.older_than_days
    before = None if days is None else time.time() - days * DAY_S
    chosen = Selection(model=options.model, stored_before=before)
    if options.yes:
        print(f"{store.delete(chosen)} replies deleted from {store.path}")
    else:
        count = sum(1 for _ in store.rows(chosen))
        print(f"{count} replies would be deleted from {store.path}; --yes deletes them")


if __name__ == "__main__":
    sys.exit(main())
