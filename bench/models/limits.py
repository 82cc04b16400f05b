"""Bounds of a run on its requests, and the limits that all its processes share."""

from __future__ import annotations

import math
import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - part of a record
from typing import TYPE_CHECKING

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


__all__ = ["ClientLimits", "Reservation", "SharedLimits"]


RATE_PATIENCE = 10
LEAST_TOTAL_S = 600.0
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientLimits:
    """Bounds on asking; the defaults are those of the command line.

    `request_timeout_s` bounds one request from connecting to the last byte, in wall time. `retries` is the
    number of requests after the first. A "too many requests" answer was not worked on: it has ten
    times as many. `rpm` and `max_cost_usd` hold for all processes that name the same `shared_limits` file.
    """

    concurrency: int = 8
    request_timeout_s: float = 120.0
    retries: int = 3
    reply_limit_bytes: int = 4 * MEBIBYTE
    rpm: float | None = None
    max_cost_usd: float | None = None
    shared_limits: Path | None = None

    def __post_init__(self) -> None:
        if self.concurrency < 1:
            raise UserError(f"--concurrency must be at least 1, got {self.concurrency!r}")
        if not (math.isfinite(self.request_timeout_s) and self.request_timeout_s > 0):
            raise UserError(
                f"--request-timeout must be a positive number of seconds, got {self.request_timeout_s!r}"
            )
        if self.retries < 0:
            raise UserError(f"--ask-retries must be 0 or more, got {self.retries!r}")

        for option, value in (("--rpm", self.rpm), ("--max-cost", self.max_cost_usd)):
            if value is not None and not (math.isfinite(value) and value > 0):
                raise UserError(f"{option} must be a positive number, got {value!r}")
            if value is not None and self.shared_limits is None:
                raise ValueError(f"{option} needs shared_limits, a file for all processes of the run")

    @property
    def rate_retries(self) -> int:
        """How often an ask is sent again after "too many requests"."""
        return self.retries * RATE_PATIENCE

    @property
    def total_s(self) -> float:
        """Bound on one ask with all its retries and waits, in seconds."""
        return max(LEAST_TOTAL_S, (self.retries + 1) * self.request_timeout_s)


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
        """Begin and commit.

        Raises:
            UserError: the file cannot be used, such as on a full disk.
        """
        try:
            connection = self._open()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise UserError(f"the file of shared limits {self._path} cannot be used: {error}") from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self._path, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("CREATE TABLE IF NOT EXISTS limits (name TEXT PRIMARY KEY, value REAL NOT NULL)")
            self._connection = connection
        return self._connection

    @staticmethod
    def _read(connection: sqlite3.Connection, name: str) -> float:
        row = connection.execute("SELECT value FROM limits WHERE name = ?", (name,)).fetchone()
        return float(row[0]) if row else 0.0

    @staticmethod
    def _write(connection: sqlite3.Connection, name: str, value: float) -> None:
        connection.execute("INSERT OR REPLACE INTO limits VALUES (?, ?)", (name, value))
