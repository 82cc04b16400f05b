"""A finished run, read back from its folder: run.json, all records, and the truths that records do not hold.

`records.jsonl` has one line for each record, sorted by item, task, model and repeat. `truths.jsonl` has one line
for each picture of a suite whose metrics need more of the truth than records say (geometry: where the dots are).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bench.errors import DataError, UserError
from bench.results.files import json_lines, write_atomically
from bench.results.folder import MANIFEST
from bench.results.record import Record, record_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

__all__ = [
    "RECORDS",
    "TRUTHS",
    "StoredRun",
    "read_records",
    "read_run",
    "write_lines",
    "write_records",
    "write_truths",
]

RECORDS = "records.jsonl"
TRUTHS = "truths.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """What a run left: `manifest` is run.json, `truths` maps (suite, item id) to an item's truth."""

    path: Path
    manifest: Mapping[str, Any]
    records: tuple[Record, ...]
    truths: Mapping[tuple[str, str], Mapping[str, Any]]


def write_records(folder: Path, records: Iterable[Record]) -> None:
    """Write all records of a run, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    write_lines(folder, [record.line() for record in sorted(records, key=record_order)])


def write_lines(folder: Path, lines: Iterable[str]) -> None:
    """Write the lines of a run's sorted records, whole or not at all.

    Raises:
        OSError: the folder cannot be written.
    """
    write_atomically(folder / RECORDS, b"".join(b"%b\n" % line.encode() for line in lines))


def write_truths(folder: Path, truths: Mapping[tuple[str, str], Mapping[str, Any]]) -> None:
    """Write the truths of items, sorted; without any there is no file.

    Raises:
        OSError: the folder cannot be written.
    """
    rows = [
        {"suite": suite, "item_id": item_id, "truth": dict(truths[suite, item_id])} for suite, item_id in truths
    ]
    if rows:
        rows.sort(key=lambda row: (str(row["suite"]), str(row["item_id"])))
        write_atomically(folder / TRUTHS, json_lines(rows))


def read_run(folder: Path) -> StoredRun:
    """Read a run back.

    Raises:
        UserError: there is no finished run in the folder, or a file of it cannot be opened.
        DataError: a file holds something else; the message names file and line.
    """
    if not folder.is_dir():
        raise UserError(f"expected the folder of a run, found none at {str(folder)!r}")
    return StoredRun(
        path=folder,
        manifest=_manifest(folder / MANIFEST),
        records=read_records(folder / RECORDS),
        truths=_truths(folder / TRUTHS),
    )


def read_records(path: Path) -> tuple[Record, ...]:
    """Read a file of records, in its order.

    Raises:
        UserError: the file cannot be opened.
        DataError: a line is no record.
    """
    return tuple(_record(row, place) for row, place in _rows(path))


def _record(row: Mapping[str, Any], place: str) -> Record:
    try:
        return Record.from_json(row)
    except DataError as error:
        raise DataError(f"{place}: {error}") from error


def _truths(path: Path) -> dict[tuple[str, str], Mapping[str, Any]]:
    if not path.exists():
        return {}
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row, place in _rows(path):
        if not isinstance(row.get("truth"), dict):
            raise DataError(f"{place}: expected an item's truth as an object, got {row.get('truth')!r:.80}")
        found[str(row.get("suite")), str(row.get("item_id"))] = row["truth"]
    return found


def _manifest(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise UserError(f"no {path.name} in {str(path.parent)!r}: expected the folder of a run that was written")
    content = _object(_opened(path), str(path))
    absent = [name for name in ("format", "options", "models", "items", "scorers_sha256") if name not in content]
    if absent:
        raise DataError(f"{path}: expected a run's manifest, but it lacks {', '.join(absent)}")
    return content


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(_opened(path).split(b"\n"), start=1):
        if line.strip():
            yield _object(line, f"{path}:{number}"), f"{path}:{number}"


def _opened(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(
            f"no {path.name} in {str(path.parent)!r}: it was not written by this version; "
            "run the same command again (stored replies cost nothing)"
        ) from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from error


def _object(text: bytes, place: str) -> dict[str, Any]:
    try:
        content = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: expected a JSON object, got malformed JSON: {error}") from error
    if not isinstance(content, dict):
        raise DataError(f"{place}: expected a JSON object, got {type(content).__name__}")
    return content
