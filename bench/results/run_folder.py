"""A run's folder: made before anything is asked, filled when the run ends, read back afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from bench.errors import DataError, EyechartError, UserError
from bench.models.types import file_part
from bench.results.files import convert, json_lines, read_object, safe_name, write_atomically
from bench.results.record import Record, record_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

__all__ = [
    "MANIFEST",
    "RECORDS",
    "TRUTHS",
    "RunFolder",
    "StoredRun",
    "annotated_file",
    "default_folder",
    "read_records",
    "read_run",
    "write_lines",
    "write_records",
    "write_truths",
]


MANIFEST = "run.json"
RECORDS = "records.jsonl"
TRUTHS = "truths.jsonl"
WRITTEN_LAST = (MANIFEST, "gate.json", "gate.md")
MARKER = ".eyechart"
RESULTS = "results"


class _ModelName(msgspec.Struct, kw_only=True):
    provider: str
    name: str


class _Manifest(msgspec.Struct, kw_only=True):
    """What readers of run.json rely on; it holds more."""

    format: int
    options: dict[str, Any]
    models: list[_ModelName]
    items: dict[str, Any]
    scorers_sha256: str
    cases_selected: int = 0


class RunFolder:
    """The folder of one run, which is made, or that of an earlier run of the same models, which is taken.

    `models` are the (provider, name) pairs that it holds results of. A hidden file marks it as a run's folder
    before anything else is in it; run.json is removed before files change and written last, so that it never
    speaks of files that are not there.

    Raises:
        UserError: the folder cannot be written, holds other models' results, or other files.
    """

    def __init__(self, path: Path, models: Sequence[tuple[str, str]]) -> None:
        self.path = path
        self._held_cases = 0
        try:
            path.mkdir(parents=True, exist_ok=True)
            others = [entry.name for entry in path.iterdir() if entry.name != MARKER]
            ours = MANIFEST in others or (path / MARKER).exists()
            if ours or not others:
                (path / MARKER).touch()
        except OSError as error:
            raise UserError(
                f"--out {path}: cannot be written ({error.strerror or error}); name another folder"
            ) from error
        if MANIFEST in others:
            self._held_cases = self._cases_held(list(models))
        elif others and not ours:
            raise UserError(
                f"--out {path}: expected a new folder or an earlier run's, found {min(others)!r} "
                f"and no {MANIFEST}; name another folder"
            )

    def _cases_held(self, models: list[tuple[str, str]]) -> int:
        try:
            _, held = _read_manifest(self.path / MANIFEST)
        except EyechartError as error:
            raise UserError(f"--out {self.path}: its {MANIFEST} cannot be read; name another folder") from error
        names = [(model.provider, model.name) for model in held.models]
        if names != models:
            shown = ", ".join(":".join(pair) for pair in names)
            raise UserError(f"--out {self.path}: holds a run of {shown}; name another folder")
        return held.cases_selected

    def make_room(self, cases: int) -> None:
        """Get ready to be filled with a run of so many cases: a larger run's results are never replaced.

        Raises:
            OSError: the folder beside it cannot be made.
        """
        if cases < self._held_cases:
            self.path = _unused(self.path)
            self.path.mkdir()
            (self.path / MARKER).touch()
        for name in WRITTEN_LAST:
            (self.path / name).unlink(missing_ok=True)

    def write_manifest(self, content: Mapping[str, Any]) -> None:
        """Write run.json.

        Raises:
            OSError: it cannot be written.
        """
        write_atomically(self.path / MANIFEST, json.dumps(content, indent=2) + "\n")

    def remove_if_empty(self) -> None:
        """Leave no trace of a run that never had a record."""
        if self.path.is_dir() and {entry.name for entry in self.path.iterdir()} <= {MARKER}:
            (self.path / MARKER).unlink(missing_ok=True)
            self.path.rmdir()


def default_folder(root: Path, models: Sequence[tuple[str, str]], started: datetime) -> Path:
    """Return results/<models>_<UTC time> under `root`, a folder that does not exist."""
    names = "+".join(safe_name(name) for _, name in models)[:80]
    path = root / RESULTS / f"{names}_{started:%Y%m%dT%H%M%SZ}"
    return _unused(path) if path.exists() else path


def _unused(path: Path) -> Path:
    count = 2
    while (beside := path.with_name(f"{path.name}-{count}")).exists():
        count += 1
    return beside


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
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"no {MANIFEST} in {str(folder)!r}: expected the folder of a run that was written")
    manifest, _ = _read_manifest(path)
    truths = _rows(folder / TRUTHS) if (folder / TRUTHS).exists() else ()
    return StoredRun(
        path=folder,
        manifest=manifest,
        records=read_records(folder / RECORDS),
        truths=dict(_truth(row, place) for row, place in truths),
    )


def read_records(path: Path) -> tuple[Record, ...]:
    """Read a file of records, in its order.

    Raises:
        UserError: the file cannot be opened.
        DataError: a line is no record.
    """
    return tuple(Record.from_json(row, place=f"{place}: ") for row, place in _rows(path))


class _Truth(msgspec.Struct, kw_only=True):
    suite: str
    item_id: str
    truth: dict[str, Any]


def _truth(row: dict[str, Any], place: str) -> tuple[tuple[str, str], dict[str, Any]]:
    try:
        read = convert(row, _Truth)
    except ValueError as error:
        raise DataError(f"{place}: expected an item's truth, but {error}") from error
    return (read.suite, read.item_id), read.truth


def _read_manifest(path: Path) -> tuple[dict[str, Any], _Manifest]:
    content = read_object(_opened(path), str(path))
    if absent := [name for name in _Manifest.__struct_fields__[:5] if name not in content]:
        raise DataError(f"{path}: expected a run's manifest, but it lacks {', '.join(absent)}")
    try:
        return content, convert(content, _Manifest)
    except ValueError as error:
        raise DataError(f"{path}: expected a run's manifest, but {error}") from error


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], str]]:
    for number, line in enumerate(_opened(path).split(b"\n"), start=1):
        if line.strip():
            yield read_object(line, f"{path}:{number}"), f"{path}:{number}"


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


def annotated_file(record: Record) -> str:
    """Return where a record's annotated picture stands in the suite's folder."""
    model = file_part(f"{record.provider}_{record.model}")
    return f"annotated/{record.item_id}-{record.task}_{model}_{record.repeat}.png"
