"""Rows of a data set file: JSONL, or Parquet where pyarrow is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.errors import ItemDataError
from generators.jsonl_file import lines_of, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["SUFFIXES", "Row", "rows_of"]

SUFFIXES = (".jsonl", ".parquet")
_BATCH = 64

Row = dict[str, object]


def rows_of(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield number (from 1) and fields of each row; blank lines of a JSONL file are passed over.

    Raises:
        ItemDataError: one line naming file, row, what was expected, what came and what to do.
    """
    return _parquet_rows(path) if path.suffix.lower() == ".parquet" else _jsonl_rows(path)


def _jsonl_rows(path: Path) -> Iterator[tuple[int, Row]]:
    for number, line in lines_of(path):
        yield number, _object(path, number, line)


def _object(path: Path, number: int, line: bytes) -> Row:
    try:
        value: object = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise ItemDataError(
            f"{path}, row {number}: expected one JSON object, got malformed JSON ({error}); mend the line"
        ) from error
    if not isinstance(value, dict):
        raise ItemDataError(f"{path}, row {number}: expected a JSON object, got {value!r:.60}; mend the line")
    return value


def _parquet_rows(path: Path) -> Iterator[tuple[int, Row]]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise ItemDataError(
            f"{path}: expected the package pyarrow for a Parquet file, got none; "
            "run: pip install 'eyechart[parquet]', or name a JSONL file"
        ) from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _named(row)
    except (OSError, ValueError, ArrowException) as error:
        reason = str(error).partition("\n")[0][:160]
        raise ItemDataError(f"{path}: expected a readable Parquet file, got: {reason}; name another") from error


def _named(row: Mapping[str, object]) -> Row:
    return {str(name): value for name, value in row.items()}
