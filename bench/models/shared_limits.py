"""Limits that hold for all processes of a run together, in one small SQLite file: requests per minute, money."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Reservation", "SharedLimits"]

MINUTE_S = 60.0
LONGEST_QUEUE = 10_000
PATIENCE_S = 30.0
TINY_USD = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Whether an ask may be paid for: now, perhaps later (others hold reservations), or not any more."""

    granted: bool
    later: bool
    spent_usd: float


class SharedLimits:
    """One file, any number of processes; every method is one short transaction.

    The file belongs to one run: a reservation of a process that was killed is not returned.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._connection: sqlite3.Connection | None = None

    def next_slot_s(self, name: str, *, per_minute: float) -> float:
        """Take the next place in the queue `name` and return how long to wait for it, in seconds.

        Places are evenly spaced, so that no window of a minute holds more than `per_minute` of them.
        """
        gap_s = MINUTE_S / per_minute
        now = self._clock()
        with self._transaction() as connection:
            slot = max(now, self._read(connection, name))
            if slot - now > gap_s * LONGEST_QUEUE:
                slot = now  # the clock was set back
            self._write(connection, name, slot + gap_s)
        return slot - now

    def reserve(self, usd: float, *, most_usd: float) -> Reservation:
        """Set `usd` aside if everything spent and set aside then stays within `most_usd`."""
        with self._transaction() as connection:
            spent, held = self._read(connection, "spent"), self._read(connection, "held")
            granted = spent + held + usd <= most_usd + TINY_USD
            if granted:
                self._write(connection, "held", held + usd)
        later = not granted and held > TINY_USD and spent + usd <= most_usd + TINY_USD
        return Reservation(granted=granted, later=later, spent_usd=spent)

    def settle(self, held_usd: float, *, spent_usd: float) -> None:
        """Return what was set aside, and book what was spent."""
        with self._transaction() as connection:
            self._write(connection, "held", max(0.0, self._read(connection, "held") - held_usd))
            self._write(connection, "spent", self._read(connection, "spent") + spent_usd)

    @property
    def spent_usd(self) -> float:
        """Booked so far, by all processes, in USD."""
        with self._transaction() as connection:
            return self._read(connection, "spent")

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._open()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                connection = sqlite3.connect(
                    self._path, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
                )
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS limits (name TEXT PRIMARY KEY, value REAL NOT NULL)"
                )
            except sqlite3.Error as error:
                raise UserError(f"the file of shared limits {self._path} cannot be used: {error}") from error
            self._connection = connection
        return self._connection

    @staticmethod
    def _read(connection: sqlite3.Connection, name: str) -> float:
        row = connection.execute("SELECT value FROM limits WHERE name = ?", (name,)).fetchone()
        return float(row[0]) if row else 0.0

    @staticmethod
    def _write(connection: sqlite3.Connection, name: str, value: float) -> None:
        connection.execute("INSERT OR REPLACE INTO limits VALUES (?, ?)", (name, value))
