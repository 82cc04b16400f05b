"""Numbers as a reader sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.statistics.intervals import Interval

__all__ = ["amount_usd", "count", "duration", "percent", "percent_range", "plural", "short"]

_MINUTE_S = 60
_HOUR_S = 3600
_CENT_USD = 0.01


def percent(share: float | None) -> str:
    """Write a share as a percentage with one decimal; all and nothing are said only where they are exact."""
    if share is None:
        return "–"
    if share in {0.0, 1.0}:
        return f"{100 * share:.0f} %"
    return f"{min(max(100 * share, 0.1), 99.9):.1f} %"


def percent_range(interval: Interval) -> str:
    """Write the ends of an interval."""
    if interval.low is None or interval.high is None:
        return "–"
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def short(number: float | None) -> str:
    """Write a number with four digits at most."""
    return "–" if number is None else f"{number:.4g}"


def count(number: int | None) -> str:
    """Write a count with its thousands apart."""
    return "–" if number is None else f"{number:,}"


def plural(number: int, one: str, more: str) -> str:
    """Write a count with its noun."""
    return f"{count(number)} {one if number == 1 else more}"


def amount_usd(amount: float | None) -> str:
    """Write an amount of US dollars; to the cent from one cent on, with two digits below."""
    if amount is None:
        return "unknown"
    if amount == 0:
        return "0"
    return f"{amount:,.2f}" if amount >= _CENT_USD else f"{amount:.2g}"


def duration(seconds: float | None) -> str:
    """Write a time span."""
    if seconds is None:
        return "–"
    if seconds < _MINUTE_S:
        return f"{seconds:.3g} s"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S:.0f} min {seconds % _MINUTE_S:.0f} s"
    return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"
