"""How hard a server may be pressed: concurrency, time bounds and retries of one run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - part of a record

from bench.errors import UserError

__all__ = ["Traffic"]

RATE_PATIENCE = 10
LEAST_TOTAL_S = 600.0
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
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
