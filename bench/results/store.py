"""The reply store: one SQLite file that keeps every reply that was paid for.

A reply is written before anything else happens to it, by the process that received it. Write-ahead
logging lets any number of workers and runs share the file; a killed process loses nothing that was
committed (SQLite documentation, "Write-Ahead Logging"). Failures are never stored.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from bench.errors import DataError, EyechartError, UserError
from bench.models.store_key import StoreResult
from bench.results.record import reply_from_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from bench.models.store_key import StoreKey
    from bench.models.types import Response

__all__ = ["ReplyStore", "Selection", "StoredCount"]

APPLICATION_ID = 0x65796563  # "eyec": marks the file as ours
FORMAT_VERSION = 1
BUSY_TIMEOUT_S = 60.0
BUSY_PAUSE_S = 0.01
PRIMARY_CODE = 0xFF  # of SQLite's extended error codes

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reply (
    key TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    case_id TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    stored_at REAL NOT NULL,
    identity TEXT NOT NULL,
    reply TEXT NOT NULL
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCount:
    """How many stored replies of one model have one status."""

    provider: str
    model: str
    status: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which replies: of a model (its name, or provider:name), stored before a time (seconds since 1970)."""

    model: str | None = None
    stored_before: float | None = None

    def condition(self) -> tuple[str, tuple[str | float, ...]]:
        """Return an SQL condition and the values for its places."""
        parts: list[str] = ["1"]
        values: list[str | float] = []
        if self.model is not None:
            parts.append("(model = ? OR provider || ':' || model = ?)")
            values += [self.model, self.model]
        if self.stored_before is not None:
            parts.append("stored_at < ?")
            values.append(self.stored_before)
        return " AND ".join(parts), tuple(values)


class ReplyStore:
    """An open reply store. Usable from several threads; close it when done.

    Raises:
        UserError: the file is foreign, corrupt, of a newer format, or cannot be opened or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise UserError(
                f"reply store {path}: cannot be opened ({error}); name a writable file with --replies"
            ) from error
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        try:
            self._check_ours()
            self._write_ahead()
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise UserError(
                f"reply store {self.path}: not usable ({error}); "
                "it was left as it is: name another file with --replies"
            ) from error

    def _write_ahead(self) -> None:
        """Switch to write-ahead logging; where several open a new file at once, SQLite itself does not wait."""
        deadline_s = time.monotonic() + BUSY_TIMEOUT_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & PRIMARY_CODE != sqlite3.SQLITE_BUSY or time.monotonic() > deadline_s:
                    raise
                time.sleep(BUSY_PAUSE_S)
            else:
                return

    def _check_ours(self) -> None:
        """Accept an empty or own file; mark an empty one. One transaction, so two starters agree."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application == 0 and tables == 0:
                self._connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
                self._connection.execute(f"PRAGMA user_version={FORMAT_VERSION}")
            elif application != APPLICATION_ID:
                raise UserError(
                    f"reply store {self.path}: an SQLite file of another program; "
                    "it was left as it is: name another file with --replies"
                )
            elif version != FORMAT_VERSION:
                raise UserError(
                    f"reply store {self.path}: format {version}, this version reads {FORMAT_VERSION}; "
                    "name another file with --replies"
                )
        finally:
            self._connection.execute("COMMIT")

    def get(self, key: str) -> Response | None:
        """Return the stored reply, or None.

        Raises:
            DataError: the row cannot be read back; the message names the store and the case.
        """
        try:
            with self._lock:
                row = self._connection.execute("SELECT case_id, reply FROM reply WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise DataError(f"reply store {self.path}: cannot be read ({error})") from error
        if row is None:
            return None
        try:
            return reply_from_json(json.loads(row[1]))
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"reply store {self.path}: the reply for {row[0]} is damaged ({error}); --fresh asks again"
            ) from error

    def file(self, reply: Response, store_key: StoreKey) -> StoreResult:
        """Store a reply and return the one that counts: another run's, where that was first.

        A file that cannot be written or read is no exception here: the reply was paid for and still counts.

        Raises:
            ValueError: the reply is a failure.
        """
        try:
            if self.put(reply, store_key):
                return StoreResult(reply=reply)
            return StoreResult(reply=self.get(store_key.key) or reply, received=reply)
        except EyechartError as error:
            return StoreResult(reply=reply, trouble=str(error))

    def put(self, reply: Response, store_key: StoreKey) -> bool:
        """Write a reply; it is committed when this returns. Returns whether it was written.

        Where another run stored a reply to the same ask meanwhile, that one stays, unless `filing.replace`.

        Raises:
            ValueError: the reply is a failure.
            UserError: the file cannot be written, such as on a full disk.
        """
        if reply.status == "failed":
            raise ValueError(f"a failure is not a reply and is not stored: {reply.error}")
        row = (
            store_key.key,
            str(store_key.identity.get("provider")),
            str(store_key.identity.get("name")),
            store_key.case_id,
            store_key.repeat,
            time.time(),
            json.dumps(store_key.identity, sort_keys=True),
            json.dumps(msgspec.to_builtins(reply)),
        )
        try:
            with self._lock:
                clash = "REPLACE" if store_key.replace else "IGNORE"
                cursor = self._connection.execute(
                    f"INSERT OR {clash} INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - two words
                    row,
                )
        except sqlite3.Error as error:
            raise UserError(f"reply store {self.path}: cannot be written ({error})") from error
        return cursor.rowcount > 0

    def counts(self) -> list[StoredCount]:
        """Count the replies by provider, model and status."""
        rows = self._connection.execute(
            "SELECT provider, model, json_extract(reply, '$.status'), count(*) FROM reply "
            "GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
        return [StoredCount(provider=row[0], model=row[1], status=row[2], n=row[3]) for row in rows]

    def rows(self, chosen: Selection) -> Iterator[dict[str, Any]]:
        """Yield the chosen replies as JSON-safe objects, oldest first."""
        condition, values = chosen.condition()
        rows = self._connection.execute(
            f"SELECT key, case_id, repeat, stored_at, identity, reply FROM reply WHERE {condition} "  # noqa: S608
            "ORDER BY stored_at, key",
            values,
        )
        names = ("key", "case_id", "repeat", "stored_at")
        for *plain, identity, reply in rows:
            yield {
                **dict(zip(names, plain, strict=True)),
                "identity": json.loads(identity),
                "reply": json.loads(reply),
            }

    def delete(self, chosen: Selection) -> int:
        """Delete the chosen replies; return how many there were.

        Raises:
            UserError: the file cannot be written.
        """
        condition, values = chosen.condition()
        try:
            with self._lock:
                cursor = self._connection.execute(f"DELETE FROM reply WHERE {condition}", values)  # noqa: S608
        except sqlite3.Error as error:
            raise UserError(f"reply store {self.path}: cannot be written ({error})") from error
        return cursor.rowcount

    def __len__(self) -> int:
        """Count the stored replies."""
        (count,) = self._connection.execute("SELECT count(*) FROM reply").fetchone()
        return int(count)

    def close(self) -> None:
        """Close the file; harmless when repeated. Waits for what another thread does: SQLite would crash."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> ReplyStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
